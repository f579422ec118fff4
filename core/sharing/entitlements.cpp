#include "core/sharing/entitlements.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "core/sharing/dominant_filling.hpp"
#include "core/sharing/kind_shares.hpp"
#include "proffer/bulk.hpp"
#include "proffer/check.hpp"

namespace proffer::sharing {
namespace {

/// Returns a number that changes whenever something changes that shares of bulk kinds rest on; 0 for others.
std::uint64_t bulk_version(const KindShares& of) {
  std::uint64_t version = 0;
  for (const auto& shares : of.all())
    version += is_bulk(of.kind()) && is_bulk(shares.kind()) ? shares.version() : 0;
  return version;
}

/// Returns the bulk demand of a node, kind by kind; nothing where it wants no processors. Who has declared no
/// demand wants the whole cluster.
Amounts bulk_demand(const std::vector<const KindShares*>& kinds, NodeIndex node) {
  Amounts demand;
  for (const auto* shares : kinds) {
    const auto units = shares->demand(node);
    if (shares->kind() == kCpus && units == 0) return Amounts(kinds.size(), 0);
    demand.push_back(units >= kUnbounded ? shares->capacity() : units);
  }
  return demand;
}

}  // namespace

/// Splits what a pool has of all bulk kinds; returns the shares of this kind.
std::vector<std::int64_t> Entitlements::split_bulk(const KindShares& of, NodeIndex pool) const {
  std::vector<const KindShares*> kinds;
  Amounts capacity;
  Amounts available;
  std::size_t mine = 0;
  for (const auto& shares : of.all()) {
    if (!is_bulk(shares.kind())) continue;
    if (&shares == &of) mine = kinds.size();
    kinds.push_back(&shares);
    capacity.push_back(shares.capacity());
    available.push_back(shares.entitlements().fair_share(shares, pool));
  }
  std::vector<BulkClaim> claims;
  for (const auto child : (*nodes_)[pool].children) {
    claims.push_back({(*nodes_)[child].weight, bulk_demand(kinds, child)});
  }
  std::vector<std::int64_t> shares;
  for (const auto& amounts : dominant_filling(capacity, available, claims)) shares.push_back(amounts[mine]);
  return shares;
}

// The split of a level rests on a demand only as far as it bounds that child's share: one that was not
// reached before and would not be reached now changes nothing. Where users are limited it tells how many
// they are as well, and everything is split anew.
void Entitlements::demand_moved(NodeIndex node, std::int64_t before, std::int64_t after) {
  if (node == kRoot) return;
  const auto lower = std::min(before, after);
  const bool counts_users = (*nodes_)[(*nodes_)[node].parent].limits_users();
  const bool beyond_share = rows_[node].fair < lower;
  const bool beyond_min = (*nodes_)[node].min_share[kind_] <= lower;
  if (!beyond_share || !beyond_min || counts_users) rows_[(*nodes_)[node].parent].split = false;
}

/// Splits in the order of a pool of order `fifo` or `deadline`: each gets all that it wants before the next
/// gets any; users within their limit come before those beyond it.
std::vector<std::int64_t> Entitlements::split_in_order(const KindShares& of, NodeIndex pool,
                                                       std::int64_t units) const {
  const auto& children = (*nodes_)[pool].children;
  std::vector<std::size_t> order(children.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool by_due = (*nodes_)[pool].order == PoolOrder::deadline;
  const auto rank = [&](std::size_t at) {
    const auto& child = (*nodes_)[children[at]];
    return std::pair(by_due ? child.due : Time::max(), child.priority);  // equal ranks: as they stand
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::vector<std::int64_t> shares(children.size());
  const auto give = [&](std::size_t i, std::int64_t most) {
    const auto more = std::min({units, of.demand(children[i]) - shares[i], most});
    shares[i] += more;
    units -= more;
    return more;
  };
  if ((*nodes_)[pool].limits_users()) {
    const auto most = most_of_a_user(units, of.users_of(pool).wanting(), (*nodes_)[pool].user_limit);
    std::map<std::string, std::int64_t> of_user;
    for (const auto i : order) {
      const auto& child = (*nodes_)[children[i]];
      if (child.is_pool) {
        give(i, units);
      } else {
        auto& held = of_user[child.user];
        held += give(i, most - held);
      }
    }
  }
  for (const auto i : order) give(i, units);
  return shares;
}

std::vector<std::int64_t> Entitlements::split_among(const KindShares& of, NodeIndex pool, std::int64_t units,
                                                    std::vector<Rounded>& rounded) const {
  if (is_bulk(kind_)) return split_bulk(of, pool);
  const auto order = (*nodes_)[pool].order;
  const auto& children = (*nodes_)[pool].children;
  rounded.assign(children.size(), Rounded::not_at_all);
  if (order == PoolOrder::fifo || order == PoolOrder::deadline) return split_in_order(of, pool, units);
  std::vector<Claim> claims;
  claims.reserve(children.size());
  for (const auto child : children) {
    const auto& shape = (*nodes_)[child];
    const auto min = order == PoolOrder::fair ? shape.min_share[kind_] : 0;
    claims.push_back({shape.weight, min, of.demand(child)});
  }
  if (!(*nodes_)[pool].limits_users()) return water_filling(units, claims, &rounded);
  std::vector<const std::string*> owners;
  for (const auto child : children) {
    owners.push_back((*nodes_)[child].is_pool ? nullptr : &(*nodes_)[child].user);
  }
  return fill_with_limits(units, std::move(claims), owners, (*nodes_)[pool].user_limit);
}

void Entitlements::split_level(const KindShares& of, NodeIndex pool) const {
  auto& level = rows_[pool];
  const auto version = bulk_version(of);
  if (level.split && level.split_of == level.fair && level.version == version) return;
  const auto& children = (*nodes_)[pool].children;
  std::vector<Rounded> rounded(children.size(), Rounded::not_at_all);
  const auto shares = split_among(of, pool, level.fair, rounded);
  for (std::size_t i = 0; i < children.size(); ++i) {
    rows_[children[i]].fair = shares[i];
    rows_[children[i]].rounded = rounded[i];
  }
  level.split = true;
  level.split_of = level.fair;
  level.version = version;
}

std::int64_t Entitlements::promised(const KindShares& of, NodeIndex node) const {
  const auto& shape = (*nodes_)[node];
  if (node == kRoot || (*nodes_)[shape.parent].order != PoolOrder::fair || is_bulk(kind_)) return 0;
  return std::min(shape.min_share[kind_], of.demand(node));
}

// Shares are the promises scaled down where siblings are promised more than there is; else no share is below
// its promise.
std::int64_t Entitlements::guaranteed(const KindShares& of, NodeIndex node) const {
  const auto units = promised(of, node);
  return units == 0 ? 0 : std::min(units, fair_share(of, node));
}

std::int64_t Entitlements::fair_share(const KindShares& of, NodeIndex node) const {
  if (node == kRoot) return rows_[kRoot].fair = std::min(of.capacity(), of.demand(kRoot));
  const auto parent = (*nodes_)[node].parent;
  fair_share(of, parent);
  split_level(of, parent);
  return rows_[node].fair;
}

/// Returns how many units of its share the node has (up) or lacks (down) by rounding alone, its own and that
/// of the pools above. A node that has its whole demand or promise has it whatever those do.
std::int64_t Entitlements::rounding_of(const KindShares& of, NodeIndex node, Rounded way) const {
  if (node == kRoot) return 0;
  const auto fair = fair_share(of, node);
  const auto rounded = rows_[node].rounded;
  const bool has_its_due = fair == of.demand(node) || (fair > 0 && fair == promised(of, node));
  if (has_its_due && rounded == Rounded::not_at_all) return 0;
  return (rounded == way ? 1 : 0) + rounding_of(of, (*nodes_)[node].parent, way);
}

std::int64_t Entitlements::least_fair_share(const KindShares& of, NodeIndex node) const {
  return std::max<std::int64_t>(fair_share(of, node) - rounding_of(of, node, Rounded::up), 0);
}

std::int64_t Entitlements::most_fair_share(const KindShares& of, NodeIndex node) const {
  return fair_share(of, node) + rounding_of(of, node, Rounded::down);
}

void Entitlements::check(const KindShares& of, NodeIndex pool) const {
  const auto& level = rows_[pool];
  if (!level.split || level.version != bulk_version(of)) return;
  const auto& children = (*nodes_)[pool].children;
  std::vector<Rounded> rounded(children.size(), Rounded::not_at_all);
  const auto shares = split_among(of, pool, level.split_of, rounded);
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto& kept = rows_[children[i]];
    PROFFER_CHECK(kept.fair == shares[i] && kept.rounded == rounded[i], "a stale entitlement was kept");
  }
}

void Entitlements::reshaped(NodeIndex pool) {
  rows_.resize(nodes_->size());
  for (auto node = pool; node != kNoNode; node = (*nodes_)[node].parent) rows_[node].split = false;
}

void Entitlements::forget(NodeIndex node) {
  rows_[node] = {};
  rows_[(*nodes_)[node].parent].split = false;
}

}  // namespace proffer::sharing
