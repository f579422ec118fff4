// The places of the replicas of a new block, as HDFS chooses them: the first on the writer's node, the second
// in another rack, the third in the second's rack, further ones anywhere, but no rack gets many more than its
// share.
//
// "Anywhere" is the less loaded of two nodes drawn at random. One draw alone leaves the fullest of n nodes
// with about log n / log log n blocks above the mean, which shows on small clusters; with the better of two
// it is about log log n (Azar, Broder, Karlin, Upfal, "Balanced Allocations", STOC 1994), and unlike always
// taking the emptiest node it does not send every new block to a node that has just joined.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/random.hpp"

namespace proffer::catalog {

/// An agent that can take a replica.
struct PlacementNode {
  AgentId agent;
  std::string rack;
  std::uint64_t load = 0;  ///< blocks it holds or will hold soon
};

/// Returns at most `replication` different agents of `nodes` (all of them when there are no more), first
/// replica first. `writer` may be nil or unknown. The same nodes in the same order and the same random
/// numbers give the same answer.
std::vector<AgentId> choose_targets(const std::vector<PlacementNode>& nodes, AgentId writer,
                                    std::uint32_t replication, Random& random);

}  // namespace proffer::catalog
