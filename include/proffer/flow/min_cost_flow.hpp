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
  std::int64_t least = 0;  ///< units that must go through the arc, from 0
  std::int64_t most = 0;   ///< units that can go through the arc; not below `least`
  std::int64_t cost = 0;   ///< cost of a unit; may be below zero
};

/// Nodes and arcs are numbered from 0 in the order in which they were added.
class FlowNetwork {
 public:
  /// Adds a node and returns its number. `supply`: units that come into the network there; below zero: units
  /// that must leave it.
  std::size_t add_node(std::int64_t supply = 0);
  /// Adds an arc and returns its number. Aborts on a node that does not exist, or bounds that contradict each
  /// other.
  std::size_t add_arc(const FlowArc& arc);

  const std::vector<std::int64_t>& supplies() const { return supplies_; }
  const std::vector<FlowArc>& arcs() const { return arcs_; }

 private:
  std::vector<std::int64_t> supplies_;
  std::vector<FlowArc> arcs_;
};

struct Flow {
  std::int64_t cost = 0;
  std::vector<std::int64_t> on;  ///< units on each arc, by number of the arc
};

/// Returns the cheapest flow that brings every supply to where it must leave; none when there is no flow at
/// all, as when supplies do not sum to zero. Of several cheapest flows always the same one. The sum of all
/// costs times bounds must stay below 2^62.
std::optional<Flow> min_cost_flow(const FlowNetwork& network);

}  // namespace proffer
