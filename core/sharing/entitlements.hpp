// The entitlements of one kind's nodes: weighted max-min, level by level. Its invariant: shares that are kept
// are those which would be computed now. They are computed when somebody asks, a level at a time, and kept
// until a number that they rest on changes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/sharing/nodes.hpp"
#include "core/sharing/water_filling.hpp"

namespace proffer::sharing {

class KindShares;

class Entitlements {
 public:
  Entitlements(const Nodes& nodes, Kind kind) : nodes_(&nodes), kind_(kind), rows_(nodes.size()) {}

  // `of` has the numbers of the same nodes and kind.
  std::int64_t fair_share(const KindShares& of, NodeIndex node) const;
  /// Returns the whole numbers around the share of which fair_share() is rounded.
  std::int64_t least_fair_share(const KindShares& of, NodeIndex node) const;
  std::int64_t most_fair_share(const KindShares& of, NodeIndex node) const;
  /// Returns min(min share, demand), scaled down with its siblings' where these are promised more than there
  /// is.
  std::int64_t guaranteed(const KindShares& of, NodeIndex node) const;

  /// Must be called when the demand of a node has changed.
  void demand_moved(NodeIndex node, std::int64_t before, std::int64_t after);
  /// Must be called after `pool` was declared, has other settings, or got a child.
  void reshaped(NodeIndex pool);
  /// Must be called before `node` leaves its place in the tree.
  void forget(NodeIndex node);
  /// Aborts unless the shares that are kept for the children of `pool` are those that would be computed now.
  void check(const KindShares& of, NodeIndex pool) const;

 private:
  struct Row {
    std::int64_t fair = 0;  ///< the fair share of this node
    Rounded rounded = Rounded::not_at_all;
    bool split = false;         ///< only for a pool: its children's `fair` are valid for `split_of`
    std::int64_t split_of = 0;  ///< the units that were split among them
    std::uint64_t version = 0;  ///< of a bulk kind: the version of all bulk kinds that it is valid for
  };
  std::vector<std::int64_t> split_in_order(const KindShares& of, NodeIndex pool, std::int64_t units) const;
  std::vector<std::int64_t> split_among(const KindShares& of, NodeIndex pool, std::int64_t units,
                                        std::vector<Rounded>& rounded) const;
  std::vector<std::int64_t> split_bulk(const KindShares& of, NodeIndex pool) const;
  void split_level(const KindShares& of, NodeIndex pool) const;
  std::int64_t promised(const KindShares& of, NodeIndex node) const;
  std::int64_t rounding_of(const KindShares& of, NodeIndex node, Rounded way) const;

  const Nodes* nodes_;
  Kind kind_;
  mutable std::vector<Row> rows_;  ///< indexed by NodeIndex
};

}  // namespace proffer::sharing
