// The numbers of one kind over the tree: use and demand, who comes next, and the entitlements.
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

#include "core/sharing/nodes.hpp"
#include "core/sharing/order_key.hpp"
#include "core/sharing/pool_users.hpp"
#include "core/sharing/water_filling.hpp"

namespace proffer::sharing {

class KindShares {
 public:
  /// `all`: the numbers of all kinds where the dominant one orders siblings; else null.
  KindShares(const Nodes& nodes, Kind kind, const std::vector<KindShares>* all)
      : nodes_(&nodes), kind_(kind), all_(all), rows_(nodes.size()), entitlements_(nodes.size()) {}

  Kind kind() const { return kind_; }
  void set_demand(NodeIndex leaf, std::int64_t units);
  void set_used(NodeIndex leaf, std::int64_t units);
  void set_running(NodeIndex leaf, std::int64_t units);
  void set_capacity(std::int64_t units) { capacity_ = units; }
  /// The demand as it was set for a leaf, even if the leaf waits.
  std::int64_t declared(NodeIndex leaf) const { return rows_[leaf].declared; }
  std::int64_t running(NodeIndex leaf) const { return rows_[leaf].running; }
  /// The demand that counts.
  std::int64_t demand(NodeIndex node) const;
  bool wants(NodeIndex node) const;
  std::int64_t used(NodeIndex node) const { return rows_[node].used; }
  std::int64_t capacity() const { return capacity_; }

  std::optional<LeafId> neediest(const std::function<bool(LeafId)>& accepts) const;
  std::int64_t fair_share(NodeIndex node) const;
  /// The whole numbers around the exact share that fair_share() was rounded from.
  std::int64_t least_fair_share(NodeIndex node) const;
  std::int64_t most_fair_share(NodeIndex node) const;
  /// min(min share, demand), scaled down with its siblings' where these are promised more than there is.
  std::int64_t guaranteed(NodeIndex node) const;

  /// Must be called before `node`, a leaf or an empty pool, leaves its place in the tree.
  void forget(NodeIndex node);
  /// Must be called after `pool` was declared or got a leaf.
  void reshaped(NodeIndex pool);
  /// Must be called after the settings of a pool have changed.
  void reordered(NodeIndex pool);
  /// Must be called after a leaf has begun, or ceased, to wait.
  void waits_changed(NodeIndex leaf);
  /// Must be called when a leaf's use of another kind has changed, where the dominant kind counts.
  void requeue_path(NodeIndex leaf);
  void check_invariants() const;

 private:
  using Queue = std::set<OrderKey>;
  struct Row {
    std::int64_t used = 0;
    std::int64_t declared = 0;    // declared demand of a leaf
    std::int64_t running = 0;     // running units of a leaf: they count as demand in any case
    Int128 bounded = 0;           // demand of leaves in or below it that is not unbounded
    std::uint32_t unbounded = 0;  // leaves in or below it of unbounded demand
    bool queued = false;
    Queue::iterator place;  // the place in its parent's queue, while queued
    Queue queue;            // the children of a pool that want more
  };
  /// Entitlements are computed when somebody asks, a level at a time, and kept until their inputs change.
  struct Entitlement {
    std::int64_t fair = 0;  // entitlement of this node
    Rounded rounded = Rounded::not_at_all;
    bool split = false;         // of a pool: the entitlements of its children are valid for `split_of`
    std::int64_t split_of = 0;  // the units that were split
  };

  OrderKey key_of(NodeIndex node) const;
  Need dominant_need(NodeIndex node) const;
  void leave_queue(NodeIndex node);
  void requeue(NodeIndex node);
  std::int64_t countable(NodeIndex leaf) const;
  void count_demand(NodeIndex leaf);
  void demand_moved(NodeIndex node, std::int64_t before);
  std::vector<std::int64_t> split_among(NodeIndex pool, std::int64_t units,
                                        std::vector<Rounded>& rounded) const;
  std::int64_t rounding_of(NodeIndex node, Rounded way) const;
  std::int64_t promised(NodeIndex node) const;
  std::vector<std::int64_t> split_in_order(NodeIndex pool, std::int64_t units) const;
  void split_level(NodeIndex pool) const;
  PoolUsers sum_users(NodeIndex pool) const;
  const PoolUsers& users_of(NodeIndex pool) const;
  std::int64_t most_of_user(NodeIndex pool) const;
  std::optional<LeafId> visit(NodeIndex pool, const std::function<bool(LeafId)>& accepts) const;
  std::optional<LeafId> visit_by_limit(NodeIndex pool, const std::function<bool(LeafId)>& accepts) const;
  std::optional<LeafId> visit_child(NodeIndex child, const std::function<bool(LeafId)>& accepts) const;
  void check_pool(NodeIndex pool) const;
  void check_split(NodeIndex pool) const;

  const Nodes* nodes_;
  Kind kind_;
  const std::vector<KindShares>* all_;
  std::int64_t capacity_ = 0;
  std::vector<Row> rows_;  // indexed by NodeIndex
  // The users of pools that limit them; no entry where nobody is there.
  std::map<NodeIndex, PoolUsers> users_;
  mutable std::vector<Entitlement> entitlements_;  // indexed by NodeIndex
};

}  // namespace proffer::sharing
