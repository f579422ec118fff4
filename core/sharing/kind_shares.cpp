#include "core/sharing/kind_shares.hpp"

#include <algorithm>
#include <numeric>
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
  const auto order = (*nodes_)[shape.parent].order;
  auto key = rank_in(order, {used(node), demand(node), shape.min_share[kind_], shape.weight, shape.priority});
  if (all_ != nullptr && order == PoolOrder::fair && !key.below_min) key.need = dominant_need(node);
  key.submitted = shape.submitted;
  key.name = &shape.name;
  key.node = node;
  return key;
}

/// Returns the largest part of a capacity that the node uses, by weight.
Need KindShares::dominant_need(NodeIndex node) const {
  constexpr std::int64_t kMost = std::int64_t{1} << 43;
  Need largest{0, (*nodes_)[node].weight, 1};
  for (const auto& shares : *all_) {
    const Need need{std::min(shares.used(node), kMost), largest.den,
                    std::clamp<std::int64_t>(shares.capacity(), 1, kMost)};
    largest = std::max(largest, need);
  }
  return largest;
}

/// A pool wants more while some child in its queue does. The pool's own sums cannot tell: what one child uses
/// above its demand must not hide what another lacks.
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
  count_demand(leaf);
}

void KindShares::set_running(NodeIndex leaf, std::int64_t units) {
  rows_[leaf].running = units;
  count_demand(leaf);
}

void KindShares::waits_changed(NodeIndex leaf) { count_demand(leaf); }

/// Returns the demand that counts. A leaf that wants nothing (any more), or waits for a place, is still
/// entitled to what it runs.
std::int64_t KindShares::countable(NodeIndex leaf) const {
  const auto& row = rows_[leaf];
  return std::max(row.running, (*nodes_)[leaf].waits ? 0 : row.declared);
}

void KindShares::count_demand(NodeIndex leaf) {
  const auto units = countable(leaf);
  if (units == demand(leaf)) return;
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
    demand_moved(node, old_demand);
  }
  requeue_path(leaf);
}

// ---- user limits ----

PoolUsers KindShares::sum_users(NodeIndex pool) const {
  PoolUsers users;
  for (const auto child : (*nodes_)[pool].children) {
    const auto& shape = (*nodes_)[child];
    if (shape.is_pool) continue;
    users.use(shape.user, rows_[child].used);
    users.want(shape.user, demand(child) > 0 ? 1 : 0);
  }
  return users;
}

const PoolUsers& KindShares::users_of(NodeIndex pool) const {
  static const PoolUsers kNobody;
  const auto at = users_.find(pool);
  return at == users_.end() ? kNobody : at->second;
}

std::int64_t KindShares::most_of_user(NodeIndex pool) const {
  const auto entitled = fair_share(pool);
  const auto units = used(pool) < entitled ? entitled : used(pool) + 1;
  return most_of_a_user(units, users_of(pool).wanting(), (*nodes_)[pool].user_limit);
}

std::optional<LeafId> KindShares::visit_by_limit(NodeIndex pool,
                                                 const std::function<bool(LeafId)>& accepts) const {
  const auto most = most_of_user(pool);
  const auto& users = users_of(pool);
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
  if (shape.is_pool) return visit(child, accepts);
  if (accepts(shape.leaf)) return shape.leaf;
  return {};
}

std::optional<LeafId> KindShares::visit(NodeIndex pool, const std::function<bool(LeafId)>& accepts) const {
  if ((*nodes_)[pool].limits_users()) return visit_by_limit(pool, accepts);
  for (const auto& key : rows_[pool].queue) {
    if (const auto leaf = visit_child(key.node, accepts)) return leaf;
  }
  return {};
}

std::optional<LeafId> KindShares::neediest(const std::function<bool(LeafId)>& accepts) const {
  return visit(kRoot, accepts);
}

// ---- entitlements ----

/// Drops the entitlements that rest on a demand which has changed. The split of a level depends on a demand
/// only as far as it bounds that child's share: a demand that was not reached before and would not be reached
/// now changes nothing. Where users are limited, demand also decides how many users there are, and everything
/// is split again.
void KindShares::demand_moved(NodeIndex node, std::int64_t before) {
  if (node == kRoot) return;
  const auto after = demand(node);
  const auto lower = std::min(before, after);
  const bool counts_users = (*nodes_)[(*nodes_)[node].parent].limits_users();
  const bool beyond_share = entitlements_[node].fair < lower;
  const bool beyond_min = (*nodes_)[node].min_share[kind_] <= lower;
  if (!beyond_share || !beyond_min || counts_users) entitlements_[(*nodes_)[node].parent].split = false;
}

/// Splits first come, first served; users within their limit come before those beyond it (visit_by_limit()).
std::vector<std::int64_t> KindShares::split_in_order(NodeIndex pool, std::int64_t units) const {
  const auto& children = (*nodes_)[pool].children;
  std::vector<std::size_t> order(children.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return (*nodes_)[children[a]].priority < (*nodes_)[children[b]].priority;  // else in their present order
  });
  std::vector<std::int64_t> shares(children.size());
  const auto give = [&](std::size_t i, std::int64_t most) {
    const auto more = std::min({units, demand(children[i]) - shares[i], most});
    shares[i] += more;
    units -= more;
    return more;
  };
  if ((*nodes_)[pool].limits_users()) {
    const auto most = most_of_a_user(units, users_of(pool).wanting(), (*nodes_)[pool].user_limit);
    std::map<std::string, std::int64_t> of_user;
    for (const auto i : order) {
      const auto& child = (*nodes_)[children[i]];
      if (child.is_pool) {
        give(i, units);
      } else {
        auto& his = of_user[child.user];
        his += give(i, most - his);
      }
    }
  }
  for (const auto i : order) give(i, units);
  return shares;
}

std::vector<std::int64_t> KindShares::split_among(NodeIndex pool, std::int64_t units,
                                                  std::vector<Rounded>& rounded) const {
  const auto order = (*nodes_)[pool].order;
  const auto& children = (*nodes_)[pool].children;
  rounded.assign(children.size(), Rounded::not_at_all);
  if (order == PoolOrder::fifo) return split_in_order(pool, units);
  std::vector<Claim> claims;
  claims.reserve(children.size());
  for (const auto child : children) {
    const auto& shape = (*nodes_)[child];
    const auto min = order == PoolOrder::fair ? shape.min_share[kind_] : 0;
    claims.push_back({shape.weight, min, demand(child)});
  }
  if (!(*nodes_)[pool].limits_users()) return water_filling(units, claims, &rounded);
  std::vector<const std::string*> owners;
  for (const auto child : children) {
    owners.push_back((*nodes_)[child].is_pool ? nullptr : &(*nodes_)[child].user);
  }
  return fill_with_limits(units, std::move(claims), owners, (*nodes_)[pool].user_limit);
}

void KindShares::split_level(NodeIndex pool) const {
  auto& level = entitlements_[pool];
  if (level.split && level.split_of == level.fair) return;
  const auto& children = (*nodes_)[pool].children;
  std::vector<Rounded> rounded;
  const auto shares = split_among(pool, level.fair, rounded);
  for (std::size_t i = 0; i < children.size(); ++i) {
    entitlements_[children[i]].fair = shares[i];
    entitlements_[children[i]].rounded = rounded[i];
  }
  level.split = true;
  level.split_of = level.fair;
}

std::int64_t KindShares::promised(NodeIndex node) const {
  const auto& shape = (*nodes_)[node];
  if (node == kRoot || (*nodes_)[shape.parent].order != PoolOrder::fair) return 0;
  return std::min(shape.min_share[kind_], demand(node));
}

/// Returns the guarantee. Where siblings are promised more than there is, their shares are the promises
/// scaled down; else no share is below what was promised.
std::int64_t KindShares::guaranteed(NodeIndex node) const {
  const auto units = promised(node);
  return units == 0 ? 0 : std::min(units, fair_share(node));
}

std::int64_t KindShares::fair_share(NodeIndex node) const {
  if (node == kRoot) return entitlements_[kRoot].fair = std::min(capacity_, demand(kRoot));
  const auto parent = (*nodes_)[node].parent;
  fair_share(parent);
  split_level(parent);
  return entitlements_[node].fair;
}

/// Returns by how many units rounding alone, its own and that of the pools above, changed the node's share:
/// units it has too many (up) or too few (down). A node that has its whole demand or promise has that
/// whatever the pools above do.
std::int64_t KindShares::rounding_of(NodeIndex node, Rounded way) const {
  if (node == kRoot) return 0;
  const auto fair = fair_share(node);
  const auto rounded = entitlements_[node].rounded;
  const bool has_its_due = fair == demand(node) || (fair > 0 && fair == promised(node));
  if (has_its_due && rounded == Rounded::not_at_all) return 0;
  return (rounded == way ? 1 : 0) + rounding_of((*nodes_)[node].parent, way);
}

std::int64_t KindShares::least_fair_share(NodeIndex node) const {
  return std::max<std::int64_t>(fair_share(node) - rounding_of(node, Rounded::up), 0);
}

std::int64_t KindShares::most_fair_share(NodeIndex node) const {
  return fair_share(node) + rounding_of(node, Rounded::down);
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

void KindShares::reordered(NodeIndex pool) {
  const auto& children = (*nodes_)[pool].children;
  for (const auto child : children) leave_queue(child);
  for (const auto child : children) requeue(child);
  users_.erase(pool);
  if ((*nodes_)[pool].limits_users()) users_[pool] = sum_users(pool);
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
  entitlements_[node] = {};
  entitlements_[(*nodes_)[node].parent].split = false;
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
  check_split(pool);
  PROFFER_CHECK(users_of(pool) == ((*nodes_)[pool].limits_users() ? sum_users(pool) : PoolUsers{}),
                "what users use and want is not what their leaves do");
  PROFFER_CHECK(mine.queue.size() == queued, "somebody queues who is no child");
  PROFFER_CHECK(std::is_sorted(mine.queue.begin(), mine.queue.end()), "a queue out of order");
}

/// Checks that the kept entitlements are those which would be found now.
void KindShares::check_split(NodeIndex pool) const {
  const auto& level = entitlements_[pool];
  if (!level.split) return;
  const auto& children = (*nodes_)[pool].children;
  std::vector<Rounded> rounded;
  const auto shares = split_among(pool, level.split_of, rounded);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto& kept = entitlements_[children[i]];
    PROFFER_CHECK(kept.fair == shares[i] && kept.rounded == rounded[i], "a stale entitlement was kept");
  }
}

void KindShares::check_invariants() const {
  PROFFER_CHECK(rows_.size() == nodes_->size(), "a row for each node");
  check_pool(kRoot);
}

}  // namespace proffer::sharing
