// Which nodes hold which blocks of a workload, before anything runs.
#pragma once

#include <cstdint>
#include <vector>

#include "proffer/random.hpp"
#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"

namespace proffer::study {

/// Replicas by index into Plan::nodes: [file][block][replica].
using BlockPlaces = std::vector<std::vector<std::vector<std::uint32_t>>>;

/// Blocks whose nodes the workload names stay there; the others get min(replication, nodes) different nodes,
/// drawn from `random` as the plan's placement says. `not_found` for a node that the plan does not have.
Result<BlockPlaces> place_blocks(const Plan& plan, Random& random);
/// The same, drawn from the first of the generators that come of the plan's seed: alike in both worlds.
Result<BlockPlaces> place_blocks(const Plan& plan);

}  // namespace proffer::study
