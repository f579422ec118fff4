#include "study/measures/fair_shares.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace proffer::study {
namespace {

/// The part by which sums of shares may be off: less is no difference.
constexpr double kSame = 1e-12;

/// The level (units by weight) at which a claim begins to rise above its guarantee, or stops at its demand.
struct Turn {
  double level = 0;
  double weight = 0;  // that rises from there on
};

/// Returns the level at which the claims take `units`: more than their guarantees, less than their demands.
double level_of(double units, const std::vector<RealClaim>& claims) {
  std::vector<Turn> turns;
  double taken = 0;  // at the level that was reached
  for (const auto& claim : claims) {
    taken += claim.guaranteed();
    if (claim.guaranteed() == claim.demand) continue;
    turns.push_back({claim.guaranteed() / claim.weight, claim.weight});
    turns.push_back({claim.demand / claim.weight, -claim.weight});
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) { return a.level < b.level; });
  double level = 0;
  double rising = 0;  // the weight of the claims that rise with the level
  for (const auto& turn : turns) {
    if (rising > 0 && taken + rising * (turn.level - level) >= units) break;
    if (rising > 0) taken += rising * (turn.level - level);
    level = turn.level;
    rising += turn.weight;
  }
  return rising > 0 ? level + (units - taken) / rising : level;
}

std::vector<RealClaim> some_of(const std::vector<RealClaim>& claims, const std::vector<std::size_t>& some) {
  std::vector<RealClaim> chosen;
  for (const auto i : some) chosen.push_back(claims[i]);
  return chosen;
}

}  // namespace

std::vector<double> fill(double units, const std::vector<RealClaim>& claims) {
  double wanted = 0;
  double promised = 0;
  for (const auto& claim : claims) {
    wanted += claim.demand;
    promised += claim.guaranteed();
  }
  std::vector<double> shares;
  if (wanted <= units) {
    for (const auto& claim : claims) shares.push_back(claim.demand);
  } else if (promised >= units) {
    const auto scale = promised > 0 ? units / promised : 0;
    for (const auto& claim : claims) shares.push_back(claim.guaranteed() * scale);
  } else {
    const auto level = level_of(units, claims);
    for (const auto& claim : claims) {
      shares.push_back(std::min(claim.demand, std::max(level * claim.weight, claim.guaranteed())));
    }
  }
  return shares;
}

// ---- the tree ----

FairShares::FairShares(const Plan& plan) : nodes_(1) {
  for (const auto& user : plan.allocator.users) user_limits_[user.name] = user.max_running;
  for (const auto& pool : plan.allocator.pools) {
    auto& node = nodes_[pool_of(pool.share.name)];
    node.pool = pool.share;
    node.weight = static_cast<double>(pool.share.weight_milli) / 1000;
    if (!pool.share.min_share.empty() || pool.share.user_limit < kNoUserLimit) looks_at_demand_ = true;
  }
}

FairShares::NodeNo FairShares::pool_of(const std::string& path) {
  NodeNo node = 0;
  for (std::size_t from = 0; from < path.size();) {
    const auto dot = std::min(path.find('.', from), path.size());
    node = child_pool(node, path.substr(from, dot - from));
    from = dot + 1;
  }
  return node;
}

FairShares::NodeNo FairShares::child_pool(NodeNo parent, const std::string& name) {
  const auto& children = nodes_[parent].children;
  const auto at = std::find_if(children.begin(), children.end(), [&](NodeNo child) {
    return nodes_[child].tenant || nodes_[child].name >= name;
  });
  if (at != children.end() && !nodes_[*at].tenant && nodes_[*at].name == name) return *at;
  const auto place = at - children.begin();
  const auto node = nodes_.size();
  nodes_.push_back({name, parent});
  auto& mine = nodes_[parent].children;
  mine.insert(mine.begin() + place, node);
  return node;
}

void FairShares::add(const Tenant& tenant) {
  const auto parent = pool_of(tenant.pool);
  const auto node = nodes_.size();
  nodes_.push_back({tenant.name, parent});
  nodes_[node].tenant = tenants_.size();
  nodes_[node].user = tenant.user;
  nodes_[node].priority = tenant.priority;
  nodes_[parent].children.push_back(node);
  tenants_.push_back(node);
  admit();
}

// ---- limits of who may run ----

std::uint32_t FairShares::most_of_user(NodeNo pool, const std::string& user) const {
  const auto own = user_limits_.find(user);
  return pool == 0 && own != user_limits_.end() ? own->second : nodes_[pool].pool.max_running_per_user;
}

/// Gives out the places under max_running by priority, then in the order in which tenants came.
void FairShares::admit() {
  auto order = tenants_;
  std::stable_sort(order.begin(), order.end(),
                   [&](NodeNo a, NodeNo b) { return nodes_[a].priority < nodes_[b].priority; });
  std::map<NodeNo, std::uint32_t> running;
  std::map<std::pair<NodeNo, std::string>, std::uint32_t> of_user;
  for (const auto tenant : order) {
    auto& node = nodes_[tenant];
    node.waits = false;
    for (auto pool = node.parent; pool; pool = nodes_[*pool].parent) {
      const auto most = nodes_[*pool].pool.max_running;
      const auto most_of_mine = most_of_user(*pool, node.user);
      node.waits |= most > 0 && running[*pool] >= most;
      node.waits |= most_of_mine > 0 && of_user[{*pool, node.user}] >= most_of_mine;
    }
    if (node.waits) continue;
    for (auto pool = node.parent; pool; pool = nodes_[*pool].parent) {
      ++running[*pool];
      ++of_user[{*pool, node.user}];
    }
  }
}

// ---- shares ----

FairShares::Numbers FairShares::sums_of(const std::vector<double>& demands) const {
  Numbers sums(nodes_.size());
  for (auto node = nodes_.size(); node-- > 0;) {
    if (nodes_[node].tenant) sums[node] = demands[*nodes_[node].tenant];
    if (nodes_[node].parent) sums[*nodes_[node].parent] += sums[node];
  }
  return sums;
}

std::vector<double> FairShares::split(Kind kind, double slots, const std::vector<double>& demands) const {
  const auto wanted = sums_of(demands);
  Numbers shares(nodes_.size());
  shares[0] = std::min(slots, wanted[0]);
  for (NodeNo node = 0; node < nodes_.size(); ++node) {
    const auto& children = nodes_[node].children;
    if (children.empty() || shares[node] == 0) continue;
    const auto parts = split_level(node, kind, shares[node], wanted);
    for (std::size_t i = 0; i < children.size(); ++i) shares[children[i]] = parts[i];
  }
  std::vector<double> of_tenants;
  of_tenants.reserve(tenants_.size());
  for (const auto node : tenants_) of_tenants.push_back(shares[node]);
  return of_tenants;
}

/// Returns the parts of the pool's children, as these stand.
FairShares::Numbers FairShares::split_level(NodeNo node, Kind kind, double units,
                                            const Numbers& demands) const {
  const auto& pool = nodes_[node];
  if (pool.pool.order == PoolOrder::fifo) return split_in_order(pool, units, demands);
  std::vector<RealClaim> claims;
  claims.reserve(pool.children.size());
  for (const auto child : pool.children) {
    const auto& of = nodes_[child];
    const auto min = !of.tenant && pool.pool.order == PoolOrder::fair ? of.pool.min_share[kind] : 0;
    claims.push_back({of.weight, static_cast<double>(min), demands[child]});
  }
  const bool limits_users = pool.pool.order != PoolOrder::fair && pool.pool.user_limit < kNoUserLimit;
  return limits_users ? split_within_limits(pool, units, std::move(claims)) : fill(units, claims);
}

namespace {

/// Returns the most that one user may have: an equal part, or so many percent where that is more.
double most_of_a_user(double units, std::size_t users, std::uint32_t percent) {
  return std::max(units / static_cast<double>(std::max<std::size_t>(users, 1)), units * percent / 100);
}

}  // namespace

/// First come, first served; users within their limit come before those beyond it.
FairShares::Numbers FairShares::split_in_order(const Node& pool, double units, const Numbers& demands) const {
  const auto& children = pool.children;
  std::vector<std::size_t> order(children.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return nodes_[children[a]].priority < nodes_[children[b]].priority;
  });
  Numbers shares(children.size());
  const auto give = [&](std::size_t i, double most) {
    const auto more = std::min({units, demands[children[i]] - shares[i], most});
    shares[i] += more;
    units -= more;
    return more;
  };
  if (pool.pool.user_limit < kNoUserLimit) {
    std::map<std::string, double> held;
    for (const auto child : children) {
      if (nodes_[child].tenant && demands[child] > 0) held[nodes_[child].user] = 0;
    }
    const auto most = most_of_a_user(units, held.size(), pool.pool.user_limit);
    for (const auto i : order) {
      const auto& child = nodes_[children[i]];
      if (!child.tenant) {
        give(i, units);
      } else if (demands[children[i]] > 0) {
        held[child.user] += give(i, most - held[child.user]);
      }
    }
  }
  for (const auto i : order) give(i, units);
  return shares;
}

/// By weight with at most so much for a user; what nobody below the limit wants goes to all. A user who is
/// held by the limit leaves more for others, so such users are found in several rounds.
FairShares::Numbers FairShares::split_within_limits(const Node& pool, double units,
                                                    std::vector<RealClaim> claims) const {
  std::map<std::string, std::vector<std::size_t>> by_user;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const auto& child = nodes_[pool.children[i]];
    if (child.tenant && claims[i].demand > 0) by_user[child.user].push_back(i);
  }
  const auto most = most_of_a_user(units, by_user.size(), pool.pool.user_limit);
  std::vector<std::size_t> open(claims.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  Numbers within(claims.size());
  for (auto left = units;;) {
    const auto shares = fill(left, some_of(claims, open));
    for (std::size_t i = 0; i < open.size(); ++i) within[open[i]] = shares[i];
    std::set<std::size_t> settled;
    for (auto user = by_user.begin(); user != by_user.end();) {
      const auto& mine = user->second;
      const auto sum = std::accumulate(mine.begin(), mine.end(), 0.0,
                                       [&](double all, std::size_t i) { return all + within[i]; });
      if (sum <= most * (1 + kSame)) {
        ++user;
        continue;
      }
      const auto parts = fill(most, some_of(claims, mine));
      for (std::size_t i = 0; i < mine.size(); ++i) within[mine[i]] = parts[i];
      settled.insert(mine.begin(), mine.end());
      left -= most;
      user = by_user.erase(user);
    }
    if (settled.empty()) break;
    std::erase_if(open, [&](std::size_t claim) { return settled.contains(claim); });
  }
  for (std::size_t i = 0; i < claims.size(); ++i) claims[i].min = within[i];
  return fill(units, claims);
}

}  // namespace proffer::study
