// One kind's numbers over the tree: what is used and wanted, who comes next, and the entitlements.
//
// Its invariants: a pool's numbers are the sums over its children, and a node stands in its parent's queue
// under its present rank exactly while somebody in it (or it) wants more than it uses. A change of one leaf
// is carried up its path only, so it costs O(depth * log siblings). A pool that limits users also has their
// sums, and passes over those beyond the limit one by one when it is asked who is next.
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
  /// As it was set for a leaf, even if it waits.
  std::int64_t declared(NodeIndex leaf) const { return rows_[leaf].declared; }
  std::int64_t running(NodeIndex leaf) const { return rows_[leaf].running; }
  /// That counts.
  std::int64_t demand(NodeIndex node) const;
  bool wants(NodeIndex node) const;
  std::int64_t used(NodeIndex node) const { return rows_[node].used; }
  std::int64_t capacity() const { return capacity_; }

  std::optional<LeafId> neediest(const std::function<bool(LeafId)>& accepts) const;
  std::int64_t fair_share(NodeIndex node) const;
  /// The whole numbers around the share of which fair_share() is rounded.
  std::int64_t least_fair_share(NodeIndex node) const;
  std::int64_t most_fair_share(NodeIndex node) const;
  /// min(min share, demand), scaled down with its siblings' where these are promised more than there is.
  std::int64_t guaranteed(NodeIndex node) const;

  /// To be called before `node`, a leaf or an empty pool, leaves its place in the tree.
  void forget(NodeIndex node);
  /// To be called after `pool` was declared or got a leaf.
  void reshaped(NodeIndex pool);
  /// To be called after the settings of a pool have changed.
  void reordered(NodeIndex pool);
  /// To be called after a leaf has begun, or ceased, to wait.
  void waits_changed(NodeIndex leaf);
  /// To be called when what a leaf uses of another kind has changed, where the dominant one counts.
  void requeue_path(NodeIndex leaf);
  void check_invariants() const;

 private:
  using Queue = std::set<OrderKey>;
  struct Row {
    std::int64_t used = 0;
    std::int64_t declared = 0;    // of a leaf
    std::int64_t running = 0;     // of a leaf: what counts as its demand in any case
    Int128 bounded = 0;           // demand of leaves in or below it that is not unbounded
    std::uint32_t unbounded = 0;  // leaves in or below it of unbounded demand
    bool queued = false;
    Queue::iterator place;  // in its parent's queue, while queued
    Queue queue;            // of a pool: the children that want more
  };
  /// Entitlements are computed when somebody asks, a level at a time, and kept until what they rest on moves.
  struct Entitlement {
    std::int64_t fair = 0;  // of this node
    Rounded rounded = Rounded::not_at_all;
    bool split = false;         // of a pool: its children's `fair` are valid for `split_of`
    std::int64_t split_of = 0;  // what was split
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
  std::vector<Row> rows_;                          // by NodeIndex
  std::map<NodeIndex, PoolUsers> users_;           // of pools that limit them, unless nobody is there
  mutable std::vector<Entitlement> entitlements_;  // by NodeIndex
};

}  // namespace proffer::sharing
