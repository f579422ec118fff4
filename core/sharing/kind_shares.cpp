#include "core/sharing/kind_shares.hpp"

#include <algorithm>
#include <utility>

#include "core/sharing/water_filling.hpp"
#include "proffer/check.hpp"

namespace proffer::sharing {

namespace {

/// Returns the largest part of a capacity that the node uses, by weight, over the kinds that count for one.
Need dominant_need(const Nodes& nodes, NodeIndex node, const KindShares& of) {
  constexpr std::int64_t kMost = std::int64_t{1} << 43;
  Need largest{0, nodes[node].weight, 1};
  for (const auto& shares : of.all()) {
    if (!of.ranked_by(shares.kind())) continue;
    const Need need{std::min(shares.used(node), kMost), largest.den,
                    std::clamp<std::int64_t>(shares.capacity(), 1, kMost)};
    largest = std::max(largest, need);
  }
  return largest;
}

/// Returns the users of a pool's leaves, counted anew.
PoolUsers sum_users(const Nodes& nodes, NodeIndex pool, const KindShares& shares) {
  PoolUsers users;
  for (const auto child : nodes[pool].children) {
    const auto& shape = nodes[child];
    if (shape.is_pool) continue;
    users.use(shape.user, shares.used(child));
    users.want(shape.user, shares.demand(child) > 0 ? 1 : 0);
  }
  return users;
}

}  // namespace

// ---- the order of need ----

OrderKey KindShares::key_of(NodeIndex node) const {
  const auto& shape = (*nodes_)[node];
  const auto order = (*nodes_)[shape.parent].order;
  const auto min_share = is_bulk(kind_) ? 0 : shape.min_share[kind_];
  auto key = rank_in(order, {used(node), demand(node), min_share, shape.weight, shape.priority, shape.due});
  const bool by_dominant = by_ == ShareBy::dominant || is_bulk(kind_);
  if (by_dominant && order == PoolOrder::fair && !key.below_min)
    key.need = dominant_need(*nodes_, node, *this);
  key.submitted = shape.submitted;
  key.name = &shape.name;
  key.node = node;
  return key;
}

// A pool's own sums do not tell: what one child uses above its demand must not hide what another lacks.
bool KindShares::wants(NodeIndex node) const {
  const auto& found = rows_[node];
  return (*nodes_)[node].is_pool ? !found.queue.empty() : demand(node) > found.used;
}

void KindShares::leave_queue(NodeIndex node) {
  auto& entry = rows_[node];
  if (std::exchange(entry.queued, false)) rows_[(*nodes_)[node].parent].queue.erase(entry.place);
}

void KindShares::requeue(NodeIndex node) {
  if (!wants(node)) return leave_queue(node);
  auto& entry = rows_[node];
  auto& queue = rows_[(*nodes_)[node].parent].queue;
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
  const auto& shape = (*nodes_)[leaf];
  if ((*nodes_)[shape.parent].limits_users()) users_[shape.parent].use(shape.user, change);
  requeue_path(leaf);
}

void KindShares::set_demand(NodeIndex leaf, std::int64_t units) {
  rows_[leaf].declared = std::min(units, kUnbounded);
  recount(leaf);
}

void KindShares::set_running(NodeIndex leaf, std::int64_t units) {
  rows_[leaf].running = units;
  recount(leaf);
}

/// Returns the demand of a leaf that counts: one that wants nothing (any more), or waits for a place, is
/// entitled to what it runs.
std::int64_t KindShares::countable(NodeIndex leaf) const {
  const auto& row = rows_[leaf];
  return std::max(row.running, (*nodes_)[leaf].waits ? 0 : row.declared);
}

void KindShares::recount(NodeIndex leaf) {
  const auto units = countable(leaf);
  if (units == demand(leaf)) return;
  ++version_;
  const auto& shape = (*nodes_)[leaf];
  if ((*nodes_)[shape.parent].limits_users()) {
    users_[shape.parent].want(shape.user, (units > 0 ? 1 : 0) - (demand(leaf) > 0 ? 1 : 0));
  }
  const bool unbounded = units == kUnbounded;
  const Int128 more = (unbounded ? Int128{0} : Int128{units}) - rows_[leaf].bounded;
  const auto more_unbounded = (unbounded ? 1u : 0u) - rows_[leaf].unbounded;  // may wrap, and back when added
  for (auto node = leaf; node != kNoNode; node = (*nodes_)[node].parent) {
    const auto old_demand = demand(node);
    auto& entry = rows_[node];
    entry.bounded += more;
    entry.unbounded += more_unbounded;
    entitlements_.demand_moved(node, old_demand, demand(node));
  }
  requeue_path(leaf);
}

// ---- user limits ----

const PoolUsers& KindShares::users_of(NodeIndex pool) const {
  static const PoolUsers kNobody;
  const auto at = users_.find(pool);
  return at == users_.end() ? kNobody : at->second;
}

std::optional<LeafId> KindShares::visit_by_limit(NodeIndex pool,
                                                 const std::function<bool(LeafId)>& accepts) const {
  const auto& users = users_of(pool);
  const auto entitled = entitlements_.fair_share(*this, pool);
  const auto units = used(pool) < entitled ? entitled : used(pool) + 1;
  const auto most = most_of_a_user(units, users.wanting(), (*nodes_)[pool].user_limit);
  for (const bool second_pass : {false, true}) {
    for (const auto& key : rows_[pool].queue) {
      const auto& child = (*nodes_)[key.node];
      const bool beyond = !child.is_pool && users.used(child.user) >= most;
      if (beyond != second_pass) continue;
      if (const auto leaf = visit_child(key.node, accepts)) return leaf;
    }
  }
  return {};
}

// ---- the next leaf ----

std::optional<LeafId> KindShares::visit_child(NodeIndex child,
                                              const std::function<bool(LeafId)>& accepts) const {
  const auto& shape = (*nodes_)[child];
  if (shape.is_pool) return neediest(accepts, child);
  if (accepts(shape.leaf)) return shape.leaf;
  return {};
}

std::optional<LeafId> KindShares::neediest(const std::function<bool(LeafId)>& accepts, NodeIndex pool) const {
  if ((*nodes_)[pool].limits_users() && !is_bulk(kind_)) return visit_by_limit(pool, accepts);
  for (const auto& key : rows_[pool].queue) {
    if (const auto leaf = visit_child(key.node, accepts)) return leaf;
  }
  return {};
}

// ---- changes of shape ----

void KindShares::reshaped(NodeIndex pool) {
  rows_.resize(nodes_->size());
  ++version_;
  entitlements_.reshaped(pool);
  for (auto node = pool; node != kRoot; node = (*nodes_)[node].parent) requeue(node);
}

void KindShares::reordered(NodeIndex pool) {
  const auto& children = (*nodes_)[pool].children;
  for (const auto child : children) leave_queue(child);
  for (const auto child : children) requeue(child);
  users_.erase(pool);
  if ((*nodes_)[pool].limits_users()) users_[pool] = sum_users(*nodes_, pool, *this);
  reshaped(pool);
}

void KindShares::forget(NodeIndex node) {
  if (!(*nodes_)[node].is_pool) {
    set_used(node, 0);
    rows_[node].running = 0;
    set_demand(node, 0);
  } else {
    users_.erase(node);
  }
  ++version_;
  entitlements_.forget(node);
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
    PROFFER_CHECK((*nodes_)[child].is_pool || demand(child) == countable(child),
                  "the demand of a leaf is what it runs, or what it wants unless it waits");
    PROFFER_CHECK(entry.queued == wants(child), "a node queues exactly while it wants more");
    PROFFER_CHECK(!entry.queued || *entry.place == key_of(child), "a node queues under a stale rank");
    if ((*nodes_)[child].is_pool) check_pool(child);
  }
  PROFFER_CHECK(mine.used == used_below && mine.bounded == bounded && mine.unbounded == unbounded,
                "a pool's numbers are the sums over its children");
  entitlements_.check(*this, pool);
  PROFFER_CHECK(
      users_of(pool) == ((*nodes_)[pool].limits_users() ? sum_users(*nodes_, pool, *this) : PoolUsers{}),
      "what users use and want is not what their leaves do");
  PROFFER_CHECK(mine.queue.size() == queued, "somebody queues who is no child");
  PROFFER_CHECK(std::is_sorted(mine.queue.begin(), mine.queue.end()), "a queue out of order");
}

void KindShares::check_invariants() const {
  PROFFER_CHECK(rows_.size() == nodes_->size(), "a row for each node");
  check_pool(kRoot);
}

}  // namespace proffer::sharing
