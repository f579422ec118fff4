// Minimum-cost flow: whole units through a network, each arc with bounds and a price a unit. The solver is
// LEMON's network simplex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace proffer {

struct FlowArc {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t least = 0;  ///< units that must go through it, from 0
  std::int64_t most = 0;   ///< that can; not below `least`
  std::int64_t cost = 0;   ///< of a unit; may be below zero
};

/// Nodes and arcs are numbered from 0 in the order in which they were added.
class FlowNetwork {
 public:
  /// `supply`: units that come into the network there; below zero: that must leave it.
  std::size_t add_node(std::int64_t supply = 0);
  /// Aborts on a node that there is not, or bounds that contradict each other.
  std::size_t add_arc(const FlowArc& arc);

  const std::vector<std::int64_t>& supplies() const { return supplies_; }
  const std::vector<FlowArc>& arcs() const { return arcs_; }

 private:
  std::vector<std::int64_t> supplies_;
  std::vector<FlowArc> arcs_;
};

struct Flow {
  std::int64_t cost = 0;
  std::vector<std::int64_t> on;  ///< by arc
};

/// The cheapest flow that brings every supply to where it must leave; none when there is no flow at all, as
/// when supplies do not sum to zero. Of several cheapest ones always the same. The sum of all costs times
/// bounds must stay below 2^62.
std::optional<Flow> min_cost_flow(const FlowNetwork& network);

}  // namespace proffer
