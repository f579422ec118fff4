// The same question to another solver.
#pragma once

#include <optional>

#include "proffer/flow/min_cost_flow.hpp"

namespace proffer::bench {

/// Returns the cost of the cheapest flow, by Boost.Graph's successive shortest paths; none when there is
/// none. For networks without least bounds and without costs below zero.
std::optional<std::int64_t> cheapest_by_shortest_paths(const FlowNetwork& network);

}  // namespace proffer::bench
