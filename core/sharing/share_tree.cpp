#include "proffer/sharing/share_tree.hpp"

#include <utility>

#include "core/sharing/admission.hpp"
#include "core/sharing/kind_shares.hpp"
#include "core/sharing/nodes.hpp"
#include "core/sharing/promises.hpp"
#include "proffer/bulk.hpp"
#include "proffer/check.hpp"

namespace proffer {

using sharing::kRoot;
using sharing::NodeIndex;

struct ShareTree::Impl {
  explicit Impl(ShareBy shared_by) : by(shared_by) {}

  ShareBy by;
  sharing::Nodes nodes;
  sharing::Admission admission;
  std::vector<sharing::KindShares> kinds;  // few, in order of appearance
  std::vector<LeafId> admitted;            // leaves admitted since somebody asked

  sharing::KindShares& of(Kind kind) {
    for (auto& shares : kinds) {
      if (shares.kind() == kind) return shares;
    }
    return kinds.emplace_back(nodes, kind, by, kinds);
  }
  const sharing::KindShares* find(Kind kind) const {
    for (const auto& shares : kinds) {
      if (shares.kind() == kind) return &shares;
    }
    return nullptr;
  }
  std::uint32_t leaves_below(NodeIndex node, bool only_waiting) const {
    if (!nodes[node].is_pool) return nodes[node].waits || !only_waiting ? 1 : 0;
    std::uint32_t leaves = 0;
    for (const auto child : nodes[node].children) leaves += leaves_below(child, only_waiting);
    return leaves;
  }
  void reshaped(NodeIndex pool);
  void settle_limits();
  void forget(NodeIndex leaf);
  void requeue_other_kinds(Kind kind, NodeIndex leaf);
  void reorder_all(Kind kind);
  /// Ranks a node and those above it anew where several kinds count in the order.
  void rank_anew(NodeIndex node);
  void view(NodeIndex node, Kind kind, std::vector<PoolView>& views) const;
};

ShareTree::ShareTree(ShareBy by) : impl_(std::make_unique<Impl>(by)) {}
ShareTree::~ShareTree() = default;
ShareTree::ShareTree(ShareTree&&) noexcept = default;
ShareTree& ShareTree::operator=(ShareTree&&) noexcept = default;

// ---- shape ----

void ShareTree::Impl::reshaped(NodeIndex pool) {
  for (auto& shares : kinds) shares.reshaped(pool);
  settle_limits();
}

void ShareTree::Impl::settle_limits() {
  for (const auto leaf : admission.misplaced(nodes)) {
    if (nodes[leaf].waits) admitted.push_back(nodes[leaf].leaf);
    nodes.set_waits(leaf, !nodes[leaf].waits);
    for (auto& shares : kinds) shares.recount(leaf);
  }
}

Result<> ShareTree::declare_pool(const PoolSpec& spec) {
  const auto pool = impl_->nodes.declare_pool(spec);
  if (!pool) return pool.error();
  for (auto& shares : impl_->kinds) shares.reshaped(*pool);  // the pool may be new to these shares
  for (auto& shares : impl_->kinds) shares.reordered(*pool);
  impl_->settle_limits();
  return {};
}

Result<> ShareTree::set_pool(const PoolSpec& spec) {
  const auto pool = impl_->nodes.set_pool(spec);
  if (!pool) return pool.error();
  for (auto& shares : impl_->kinds) shares.reordered(*pool);
  impl_->settle_limits();
  return {};
}

Result<> ShareTree::remove_pool(std::string_view name) {
  const auto pool = impl_->nodes.removable(name);
  if (!pool) return pool.error();
  for (auto& shares : impl_->kinds) shares.forget(*pool);
  impl_->nodes.remove_pool(*pool);
  return {};
}

bool ShareTree::has_pool(std::string_view name) const { return impl_->nodes.find_pool(name).has_value(); }

void ShareTree::set_user_limit(const std::string& user, std::optional<std::uint32_t> most) {
  impl_->admission.set_user_limit(user, most);
  impl_->settle_limits();
}

Result<LeafId> ShareTree::add_leaf(std::string_view pool, LeafSpec spec) {
  const auto parent = impl_->nodes.find_pool(pool);
  if (!parent) return Error{ErrorCode::unknown_pool, "there is no pool '" + std::string(pool) + "'"};
  if (!sharing::valid_weight(spec.weight_milli)) {
    return Error{ErrorCode::invalid, "the weight of '" + spec.name + "' is not above 0 (in thousandths)"};
  }
  const auto node = impl_->nodes.add_leaf(*parent, std::move(spec));
  const auto leaf = impl_->nodes[node].leaf;
  impl_->reshaped(*parent);
  return leaf;
}

/// Forgets a leaf before it leaves its place, kind by kind. Then the pools above are ranked again: the
/// dominant shares by which the earlier kinds ranked them still counted the leaf's use of later kinds.
void ShareTree::Impl::forget(NodeIndex leaf) {
  for (auto& shares : kinds) shares.forget(leaf);
  rank_anew(nodes[leaf].parent);
}

void ShareTree::Impl::rank_anew(NodeIndex node) {
  for (auto& shares : kinds) {
    if (by == ShareBy::dominant || is_bulk(shares.kind())) shares.requeue_path(node);
  }
}

void ShareTree::remove_leaf(LeafId leaf) {
  const auto node = impl_->nodes.node_of(leaf);
  impl_->forget(node);
  std::erase(impl_->admitted, leaf);
  impl_->nodes.remove_leaf(leaf);
  impl_->settle_limits();
}

Result<> ShareTree::move_leaf(LeafId leaf, std::string_view pool) {
  const auto node = impl_->nodes.node_of(leaf);
  const auto parent = impl_->nodes.find_pool(pool);
  if (!parent) return Error{ErrorCode::unknown_pool, "there is no pool '" + std::string(pool) + "'"};
  struct StaysAs {
    std::int64_t used, declared, running;
  };
  std::vector<StaysAs> kept;
  for (const auto& shares : impl_->kinds) {
    kept.push_back({shares.used(node), shares.declared(node), shares.running(node)});
  }
  impl_->forget(node);
  impl_->nodes.move_leaf(node, *parent);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    impl_->kinds[i].reshaped(*parent);
    impl_->kinds[i].set_used(node, kept[i].used);
    impl_->kinds[i].set_demand(node, kept[i].declared);
    impl_->kinds[i].set_running(node, kept[i].running);
  }
  impl_->rank_anew(node);  // at the time, each kind was counted in without those after it
  impl_->settle_limits();
  return {};
}

// ---- limits ----

bool ShareTree::waits(LeafId leaf) const { return impl_->nodes[impl_->nodes.node_of(leaf)].waits; }

bool ShareTree::any_user_limit() const { return impl_->nodes.any_user_limit(); }

std::vector<LeafId> ShareTree::pop_admitted() { return std::exchange(impl_->admitted, {}); }

// ---- numbers ----

void ShareTree::Impl::requeue_other_kinds(Kind kind, NodeIndex leaf) {
  for (auto& shares : kinds) {
    if (shares.kind() != kind && shares.ranked_by(kind)) shares.requeue_path(leaf);
  }
}

/// Reorders all kinds in whose ranks the capacity of this one is.
void ShareTree::Impl::reorder_all(Kind kind) {
  if (by != ShareBy::dominant && !is_bulk(kind)) return;
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    for (auto& shares : kinds) {
      if (nodes[node].is_pool && shares.ranked_by(kind)) shares.reordered(node);
    }
  }
}

void ShareTree::set_demand(LeafId leaf, Kind kind, std::int64_t units) {
  PROFFER_CHECK(units >= 0, "a demand below zero");
  impl_->of(kind).set_demand(impl_->nodes.node_of(leaf), units);
}

void ShareTree::set_used(LeafId leaf, Kind kind, std::int64_t units) {
  PROFFER_CHECK(units >= 0 && units <= kUnbounded, "a used quantity outside its bounds");
  const auto node = impl_->nodes.node_of(leaf);
  impl_->of(kind).set_used(node, units);
  impl_->requeue_other_kinds(kind, node);
}

void ShareTree::set_running(LeafId leaf, Kind kind, std::int64_t units) {
  PROFFER_CHECK(units >= 0 && units <= used(leaf, kind), "what runs is part of what is used");
  impl_->of(kind).set_running(impl_->nodes.node_of(leaf), units);
}

void ShareTree::set_capacity(Kind kind, std::int64_t units) {
  PROFFER_CHECK(units >= 0 && units <= kUnbounded, "a capacity outside its bounds");
  impl_->of(kind).set_capacity(units);
  impl_->reorder_all(kind);
}

std::int64_t ShareTree::demand(LeafId leaf, Kind kind) const {
  const auto node = impl_->nodes.node_of(leaf);
  const auto* shares = impl_->find(kind);
  return shares == nullptr ? 0 : shares->declared(node);
}

std::int64_t ShareTree::used(LeafId leaf, Kind kind) const {
  const auto node = impl_->nodes.node_of(leaf);
  const auto* shares = impl_->find(kind);
  return shares == nullptr ? 0 : shares->used(node);
}

std::int64_t ShareTree::capacity(Kind kind) const {
  const auto* shares = impl_->find(kind);
  return shares == nullptr ? 0 : shares->capacity();
}

std::int64_t ShareTree::total_demand(Kind kind) const {
  const auto* shares = impl_->find(kind);
  return shares == nullptr ? 0 : shares->demand(kRoot);
}

bool ShareTree::wants(LeafId leaf, Kind kind) const {
  const auto node = impl_->nodes.node_of(leaf);
  const auto* shares = impl_->find(kind);
  return shares != nullptr && shares->wants(node);
}

// ---- the order, and the entitlements ----

std::optional<LeafId> ShareTree::neediest(Kind kind, const std::function<bool(LeafId)>& accepts) const {
  const auto* shares = impl_->find(kind);
  if (shares == nullptr) return {};
  return shares->neediest(accepts);
}

std::int64_t ShareTree::fair_share(LeafId leaf, Kind kind) const {
  const auto node = impl_->nodes.node_of(leaf);
  const auto* shares = impl_->find(kind);
  return shares == nullptr ? 0 : shares->entitlements().fair_share(*shares, node);
}

ShareTree::Numbers ShareTree::numbers(ShareNode node, Kind kind) const {
  const auto* shares = impl_->find(kind);
  if (shares == nullptr) return {};
  Numbers numbers;
  numbers.used = shares->used(node.value);
  numbers.demand = shares->demand(node.value);
  const auto& entitlements = shares->entitlements();
  numbers.fair = entitlements.fair_share(*shares, node.value);
  numbers.least_fair = entitlements.least_fair_share(*shares, node.value);
  numbers.most_fair = entitlements.most_fair_share(*shares, node.value);
  numbers.guaranteed = entitlements.guaranteed(*shares, node.value);
  return numbers;
}

std::optional<ShareNode> ShareTree::find_pool(std::string_view name) const {
  const auto node = impl_->nodes.find_pool(name);
  if (!node) return {};
  return ShareNode{*node};
}

ShareNode ShareTree::node_of(LeafId leaf) const { return ShareNode{impl_->nodes.node_of(leaf)}; }

std::vector<ShareNode> ShareTree::path_of(LeafId leaf) const {
  std::vector<ShareNode> path;
  for (auto node = impl_->nodes.node_of(leaf); node != kRoot; node = impl_->nodes[node].parent) {
    path.push_back(ShareNode{node});
  }
  return path;
}

bool ShareTree::is_within(ShareNode inner, ShareNode outer) const {
  auto node = inner.value;
  while (node != outer.value && node != kRoot) node = impl_->nodes[node].parent;
  return node == outer.value;
}

// ---- views for people ----

void ShareTree::Impl::view(NodeIndex node, Kind kind, std::vector<PoolView>& views) const {
  const auto& shape = nodes[node];
  PoolView pool;
  pool.name = nodes.path_of(node);
  pool.node = ShareNode{node};
  pool.weight_milli = shape.weight;
  pool.min_share = shape.min_share[kind];
  pool.order = shape.order;
  pool.leaves = leaves_below(node, false);
  pool.waiting = nodes.any_waits() ? leaves_below(node, true) : 0;
  if (const auto* shares = find(kind)) {
    pool.used = shares->used(node);
    pool.demand = shares->demand(node);
    pool.fair = shares->entitlements().fair_share(*shares, node);
  }
  views.push_back(std::move(pool));
  for (const auto child : shape.children) {
    if (nodes[child].is_pool) view(child, kind, views);
  }
}

std::vector<ShareTree::PoolView> ShareTree::pools(Kind kind) const {
  std::vector<PoolView> views;
  impl_->view(kRoot, kind, views);
  return views;
}

std::vector<ShareTree::Warning> ShareTree::warnings() const {
  std::vector<Warning> warnings;
  for (const auto& shares : impl_->kinds) {
    if (is_bulk(shares.kind())) continue;  // shared without promises
    sharing::find_broken_promises(impl_->nodes, kRoot, shares.kind(), shares.capacity(), warnings);
  }
  return warnings;
}

void ShareTree::check_invariants() const {
  PROFFER_CHECK(impl_->admission.misplaced(impl_->nodes).empty(),
                "limits are kept, and leave no place empty");
  impl_->nodes.check_invariants();
  for (const auto& shares : impl_->kinds) shares.check_invariants();
}

}  // namespace proffer
