// One kind's numbers over the tree: the units in use, the demand, and the order of those who want more.
//
// Invariants: a pool's numbers are the sums over its children, and a node stands in its parent's queue under
// its present rank exactly while somebody in it (or it) wants more than it uses. A change of one leaf is
// carried up its path only, so it costs O(depth * log siblings). A pool that limits users also keeps their
// sums, and skips users beyond the limit one by one when it is asked who is next.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/sharing/entitlements.hpp"
#include "core/sharing/nodes.hpp"
#include "core/sharing/order_key.hpp"
#include "core/sharing/pool_users.hpp"
#include "proffer/bulk.hpp"

namespace proffer::sharing {

class KindShares {
 public:
  /// `all`: the numbers of all kinds. Siblings are ordered by the dominant one of them under
  /// ShareBy::dominant, and by that of the bulk ones for a bulk kind.
  KindShares(const Nodes& nodes, Kind kind, ShareBy by, const std::vector<KindShares>& all)
      : nodes_(&nodes), kind_(kind), by_(by), all_(&all), entitlements_(nodes, kind), rows_(nodes.size()) {}

  Kind kind() const { return kind_; }
  void set_demand(NodeIndex leaf, std::int64_t units);
  void set_used(NodeIndex leaf, std::int64_t units);
  void set_running(NodeIndex leaf, std::int64_t units);
  void set_capacity(std::int64_t units) {
    capacity_ = units;
    ++version_;
  }
  /// Returns the demand as it was set for a leaf, even if it waits.
  std::int64_t declared(NodeIndex leaf) const { return rows_[leaf].declared; }
  std::int64_t running(NodeIndex leaf) const { return rows_[leaf].running; }
  /// Returns the demand that counts.
  std::int64_t demand(NodeIndex node) const {
    const auto& row = rows_[node];
    if (row.unbounded > 0 || row.bounded > kUnbounded) return kUnbounded;
    return static_cast<std::int64_t>(row.bounded);
  }
  bool wants(NodeIndex node) const;
  /// Returns whether the order of this kind depends on what is used of another one.
  bool ranked_by(Kind other) const {
    return by_ == ShareBy::dominant || other == kind_ || (is_bulk(kind_) && is_bulk(other));
  }
  /// A number that changes whenever the demand, the capacity or the shape does.
  std::uint64_t version() const { return version_; }
  const std::vector<KindShares>& all() const { return *all_; }
  std::int64_t used(NodeIndex node) const { return rows_[node].used; }
  std::int64_t capacity() const { return capacity_; }

  /// Returns what the users of a pool use and want; nobody's where the pool does not limit them.
  const PoolUsers& users_of(NodeIndex pool) const;

  /// Visits the leaves in a pool that want more, neediest first, until one accepts.
  std::optional<LeafId> neediest(const std::function<bool(LeafId)>& accepts, NodeIndex pool = kRoot) const;

  const Entitlements& entitlements() const { return entitlements_; }

  /// Must be called before `node`, a leaf or an empty pool, leaves its place in the tree.
  void forget(NodeIndex node);
  /// Must be called after `pool` was declared or got a leaf.
  void reshaped(NodeIndex pool);
  /// Must be called after the settings of a pool have changed.
  void reordered(NodeIndex pool);
  /// Must be called after a leaf has begun, or ceased, to wait.
  void recount(NodeIndex leaf);
  /// Must be called when what a leaf uses of another kind has changed, where the dominant one counts.
  void requeue_path(NodeIndex leaf);
  void check_invariants() const;

 private:
  using Queue = std::set<OrderKey>;
  struct Row {
    std::int64_t used = 0;
    std::int64_t declared = 0;    ///< demand that a leaf has declared
    std::int64_t running = 0;     ///< only of a leaf: counts as its demand in any case
    Int128 bounded = 0;           ///< demand of leaves in or below it that is not unbounded
    std::uint32_t unbounded = 0;  ///< leaves in or below it of unbounded demand
    bool queued = false;
    Queue::iterator place;  ///< the place in its parent's queue, while queued
    Queue queue;            ///< only of a pool: the children that want more
  };

  OrderKey key_of(NodeIndex node) const;
  void leave_queue(NodeIndex node);
  void requeue(NodeIndex node);
  std::int64_t countable(NodeIndex leaf) const;
  std::optional<LeafId> visit_by_limit(NodeIndex pool, const std::function<bool(LeafId)>& accepts) const;
  std::optional<LeafId> visit_child(NodeIndex child, const std::function<bool(LeafId)>& accepts) const;
  void check_pool(NodeIndex pool) const;

  const Nodes* nodes_;
  Kind kind_;
  ShareBy by_;
  const std::vector<KindShares>* all_;
  std::int64_t capacity_ = 0;
  std::uint64_t version_ = 0;
  Entitlements entitlements_;
  std::vector<Row> rows_;                 ///< indexed by NodeIndex
  std::map<NodeIndex, PoolUsers> users_;  ///< the users of pools that limit them; none while nobody is there
};

}  // namespace proffer::sharing
