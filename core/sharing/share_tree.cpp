#include "proffer/sharing/share_tree.hpp"

#include <utility>

#include "core/sharing/kind_shares.hpp"
#include "core/sharing/nodes.hpp"
#include "proffer/check.hpp"

namespace proffer {

using sharing::kRoot;
using sharing::NodeIndex;

struct ShareTree::Impl {
  sharing::Nodes nodes;
  std::vector<sharing::KindShares> kinds;  // few, in order of appearance

  sharing::KindShares& of(Kind kind) {
    for (auto& shares : kinds) {
      if (shares.kind() == kind) return shares;
    }
    return kinds.emplace_back(nodes, kind);
  }
  const sharing::KindShares* find(Kind kind) const {
    for (const auto& shares : kinds) {
      if (shares.kind() == kind) return &shares;
    }
    return nullptr;
  }
  void reshaped(NodeIndex pool) {
    for (auto& shares : kinds) shares.reshaped(pool);
  }
  std::uint32_t leaves_below(NodeIndex node) const {
    if (!nodes[node].is_pool) return 1;
    std::uint32_t leaves = 0;
    for (const auto child : nodes[node].children) leaves += leaves_below(child);
    return leaves;
  }
  void view(NodeIndex node, Kind kind, std::vector<PoolView>& views) const;
};

ShareTree::ShareTree() : impl_(std::make_unique<Impl>()) {}
ShareTree::~ShareTree() = default;
ShareTree::ShareTree(ShareTree&&) noexcept = default;
ShareTree& ShareTree::operator=(ShareTree&&) noexcept = default;

Result<> ShareTree::declare_pool(const PoolSpec& spec) {
  const auto pool = impl_->nodes.declare_pool(spec);
  if (!pool) return pool.error();
  impl_->reshaped(*pool);
  return {};
}

bool ShareTree::has_pool(std::string_view name) const { return impl_->nodes.find_pool(name).has_value(); }

Result<LeafId> ShareTree::add_leaf(std::string_view pool, std::string name, std::int64_t weight_milli,
                                   std::uint64_t submitted) {
  const auto parent = impl_->nodes.find_pool(pool);
  if (!parent) return Error{ErrorCode::unknown_pool, "there is no pool '" + std::string(pool) + "'"};
  const auto node = impl_->nodes.add_leaf(*parent, std::move(name), weight_milli, submitted);
  impl_->reshaped(*parent);
  return impl_->nodes[node].leaf;
}

void ShareTree::remove_leaf(LeafId leaf) {
  const auto node = impl_->nodes.node_of(leaf);
  for (auto& shares : impl_->kinds) shares.forget(node);
  impl_->nodes.remove_leaf(leaf);
}

void ShareTree::set_demand(LeafId leaf, Kind kind, std::int64_t units) {
  PROFFER_CHECK(units >= 0, "a demand below zero");
  impl_->of(kind).set_demand(impl_->nodes.node_of(leaf), units);
}

void ShareTree::set_used(LeafId leaf, Kind kind, std::int64_t units) {
  PROFFER_CHECK(units >= 0 && units <= kUnbounded, "a used quantity outside its bounds");
  impl_->of(kind).set_used(impl_->nodes.node_of(leaf), units);
}

void ShareTree::set_capacity(Kind kind, std::int64_t units) {
  PROFFER_CHECK(units >= 0 && units <= kUnbounded, "a capacity outside its bounds");
  impl_->of(kind).set_capacity(units);
}

std::int64_t ShareTree::demand(LeafId leaf, Kind kind) const {
  const auto node = impl_->nodes.node_of(leaf);
  const auto* shares = impl_->find(kind);
  return shares == nullptr ? 0 : shares->demand(node);
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

std::optional<LeafId> ShareTree::neediest(Kind kind, const std::function<bool(LeafId)>& accepts) const {
  const auto* shares = impl_->find(kind);
  if (shares == nullptr) return {};
  return shares->neediest(accepts);
}

std::int64_t ShareTree::fair_share(LeafId leaf, Kind kind) const {
  const auto node = impl_->nodes.node_of(leaf);
  const auto* shares = impl_->find(kind);
  return shares == nullptr ? 0 : shares->fair_share(node);
}

void ShareTree::Impl::view(NodeIndex node, Kind kind, std::vector<PoolView>& views) const {
  const auto& shape = nodes[node];
  PoolView pool;
  pool.name = nodes.path_of(node);
  pool.weight_milli = shape.weight;
  pool.min_share = shape.min_share[kind];
  pool.leaves = leaves_below(node);
  if (const auto* shares = find(kind)) {
    pool.used = shares->used(node);
    pool.demand = shares->demand(node);
    pool.fair = shares->fair_share(node);
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

void ShareTree::check_invariants() const {
  impl_->nodes.check_invariants();
  for (const auto& shares : impl_->kinds) shares.check_invariants();
}

}  // namespace proffer
