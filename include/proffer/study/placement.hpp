// The nodes that hold the blocks of a workload before anything runs.
#pragma once

#include <cstdint>
#include <vector>

#include "proffer/random.hpp"
#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"

namespace proffer::study {

/// Replicas by index into Plan::nodes: [file][block][replica].
using BlockPlaces = std::vector<std::vector<std::vector<std::uint32_t>>>;

/// Chooses nodes for blocks. Blocks whose nodes the workload names stay there; the others get
/// min(replication, nodes) different nodes, drawn from `random` as the plan's placement says. `not_found` for
/// a node that the plan does not have.
Result<BlockPlaces> place_blocks(const Plan& plan, Random& random);
/// Draws from the first of the generators that are made from the plan's seed, so that both worlds place
/// alike.
Result<BlockPlaces> place_blocks(const Plan& plan);

}  // namespace proffer::study
