#include "core/sharing/kind_shares.hpp"

#include <algorithm>
#include <utility>

#include "core/sharing/water_filling.hpp"
#include "proffer/check.hpp"

namespace proffer::sharing {

std::int64_t KindShares::demand(NodeIndex node) const {
  const auto& entry = rows_[node];
  if (entry.unbounded > 0 || entry.bounded > kUnbounded) return kUnbounded;
  return static_cast<std::int64_t>(entry.bounded);
}

// ---- the order of need ----

OrderKey KindShares::key_of(NodeIndex node) const {
  const auto& shape = (*nodes_)[node];
  auto key = fair_rank({used(node), demand(node), shape.min_share[kind_], shape.weight});
  key.submitted = shape.submitted;
  key.name = &shape.name;
  key.node = node;
  return key;
}

/// A pool's own sums do not tell: what one child uses above its demand must not hide what another lacks.
bool KindShares::wants(NodeIndex node) const {
  const auto& found = rows_[node];
  return (*nodes_)[node].is_pool ? !found.queue.empty() : demand(node) > found.used;
}

void KindShares::requeue(NodeIndex node) {
  auto& entry = rows_[node];
  auto& queue = rows_[(*nodes_)[node].parent].queue;
  const bool wanted = wants(node);
  if (!wanted) {
    if (std::exchange(entry.queued, false)) queue.erase(entry.place);
    return;
  }
  auto key = key_of(node);
  if (!std::exchange(entry.queued, true)) {
    entry.place = queue.insert(std::move(key)).first;
  } else if (!entry.place->same_rank(key)) {
    auto held = queue.extract(entry.place);
    held.value() = std::move(key);
    entry.place = queue.insert(std::move(held)).position;
  }
}

void KindShares::requeue_path(NodeIndex leaf) {
  for (auto node = leaf; node != kRoot; node = (*nodes_)[node].parent) requeue(node);
}

void KindShares::set_used(NodeIndex leaf, std::int64_t units) {
  const auto change = units - rows_[leaf].used;
  if (change == 0) return;
  for (auto node = leaf; node != kNoNode; node = (*nodes_)[node].parent) rows_[node].used += change;
  requeue_path(leaf);
}

void KindShares::set_demand(NodeIndex leaf, std::int64_t units) {
  if (units > kUnbounded) units = kUnbounded;
  if (units == demand(leaf)) return;
  const bool unbounded = units == kUnbounded;
  const Int128 more = (unbounded ? Int128{0} : Int128{units}) - rows_[leaf].bounded;
  const auto more_unbounded = (unbounded ? 1u : 0u) - rows_[leaf].unbounded;  // may wrap, and back when added
  for (auto node = leaf; node != kNoNode; node = (*nodes_)[node].parent) {
    const auto old_demand = demand(node);
    auto& entry = rows_[node];
    entry.bounded += more;
    entry.unbounded += more_unbounded;
    demand_moved(node, old_demand);
  }
  requeue_path(leaf);
}

std::optional<LeafId> KindShares::visit(NodeIndex pool, const std::function<bool(LeafId)>& accepts) const {
  for (const auto& key : rows_[pool].queue) {
    const auto& child = (*nodes_)[key.node];
    if (child.is_pool) {
      if (const auto leaf = visit(key.node, accepts)) return leaf;
    } else if (accepts(child.leaf)) {
      return child.leaf;
    }
  }
  return {};
}

std::optional<LeafId> KindShares::neediest(const std::function<bool(LeafId)>& accepts) const {
  return visit(kRoot, accepts);
}

// ---- entitlements ----

/// The split of a level rests on a demand only as far as it bounds that child's share: one that was not
/// reached before and would not be reached now changes nothing.
void KindShares::demand_moved(NodeIndex node, std::int64_t before) {
  if (node == kRoot) return;
  const auto after = demand(node);
  const auto lower = std::min(before, after);
  const bool beyond_share = entitlements_[node].fair < lower;
  const bool beyond_min = (*nodes_)[node].min_share[kind_] <= lower;
  if (!beyond_share || !beyond_min) entitlements_[(*nodes_)[node].parent].split = false;
}

std::vector<std::int64_t> KindShares::split_among(const std::vector<NodeIndex>& children,
                                                  std::int64_t units) const {
  std::vector<Claim> claims;
  claims.reserve(children.size());
  for (const auto child : children) {
    const auto& shape = (*nodes_)[child];
    claims.push_back({shape.weight, shape.min_share[kind_], demand(child)});
  }
  return water_filling(units, claims);
}

void KindShares::split_level(NodeIndex pool) const {
  auto& level = entitlements_[pool];
  if (level.split && level.split_of == level.fair) return;
  const auto& children = (*nodes_)[pool].children;
  const auto shares = split_among(children, level.fair);
  for (std::size_t i = 0; i < children.size(); ++i) entitlements_[children[i]].fair = shares[i];
  level.split = true;
  level.split_of = level.fair;
}

std::int64_t KindShares::fair_share(NodeIndex node) const {
  if (node == kRoot) return entitlements_[kRoot].fair = std::min(capacity_, demand(kRoot));
  const auto parent = (*nodes_)[node].parent;
  fair_share(parent);
  split_level(parent);
  return entitlements_[node].fair;
}

// ---- changes of shape ----

void KindShares::reshaped(NodeIndex pool) {
  rows_.resize(nodes_->size());
  entitlements_.resize(nodes_->size());
  for (auto node = pool; node != kNoNode; node = (*nodes_)[node].parent) {
    entitlements_[node].split = false;
    if (node != kRoot) requeue(node);
  }
}

void KindShares::forget(NodeIndex leaf) {
  set_used(leaf, 0);
  set_demand(leaf, 0);
  entitlements_[leaf] = {};
  entitlements_[(*nodes_)[leaf].parent].split = false;
}

void KindShares::check_pool(NodeIndex pool) const {
  const auto& mine = rows_[pool];
  std::int64_t used_below = 0;
  Int128 bounded = 0;
  std::uint32_t unbounded = 0;
  std::size_t queued = 0;
  for (const auto child : (*nodes_)[pool].children) {
    const auto& entry = rows_[child];
    used_below += entry.used;
    bounded += entry.bounded;
    unbounded += entry.unbounded;
    queued += entry.queued ? 1 : 0;
    PROFFER_CHECK(entry.queued == wants(child), "a node queues exactly while it wants more");
    PROFFER_CHECK(!entry.queued || *entry.place == key_of(child), "a node queues under a stale rank");
    if ((*nodes_)[child].is_pool) check_pool(child);
  }
  PROFFER_CHECK(mine.used == used_below && mine.bounded == bounded && mine.unbounded == unbounded,
                "a pool's numbers are the sums over its children");
  check_split(pool);
  PROFFER_CHECK(mine.queue.size() == queued, "somebody queues who is no child");
  PROFFER_CHECK(std::is_sorted(mine.queue.begin(), mine.queue.end()), "a queue out of order");
}

/// Entitlements that were kept are those which would be found now.
void KindShares::check_split(NodeIndex pool) const {
  const auto& level = entitlements_[pool];
  if (!level.split) return;
  const auto& children = (*nodes_)[pool].children;
  const auto shares = split_among(children, level.split_of);
  for (std::size_t i = 0; i < children.size(); ++i) {
    PROFFER_CHECK(entitlements_[children[i]].fair == shares[i], "a stale entitlement was kept");
  }
}

void KindShares::check_invariants() const {
  PROFFER_CHECK(rows_.size() == nodes_->size(), "a row for each node");
  check_pool(kRoot);
}

}  // namespace proffer::sharing
