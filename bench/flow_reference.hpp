// The same question to another solver.
#pragma once

#include <optional>

#include "proffer/flow/min_cost_flow.hpp"

namespace proffer {

/// What the cheapest flow costs, by Boost.Graph's successive shortest paths; none when there is none. For
/// networks without least bounds and without costs below zero.
std::optional<std::int64_t> cheapest_by_shortest_paths(const FlowNetwork& network);

}  // namespace proffer
