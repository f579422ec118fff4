#include "proffer/pool_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "proffer/names.hpp"
#include "proffer/pool_path.hpp"

namespace proffer {
namespace {

/// A key without effect, and the reason.
using Idle = std::pair<std::string_view, std::string>;
using Pools = std::vector<AllocatorPool>;

/// Returns the key that says where the pool's frameworks may be offered slots; empty: none does.
std::string_view place_of(const AllocatorPool& pool) {
  if (!pool.racks.empty()) return "racks";
  if (!pool.agents.empty()) return "agents";
  return pool.private_agents > 0 ? "private_agents" : "";
}

/// Returns whether that pool, one around it or one in it is limited to some agents.
bool is_restricted(const Pools& pools, const std::string& name) {
  return std::any_of(pools.begin(), pools.end(), [&](const AllocatorPool& other) {
    if (place_of(other).empty()) return false;
    return lies_in(name, other.share.name) || lies_in(other.share.name, name);
  });
}

const PoolSpec& spec_of(const AllocatorPool& pool) { return pool.share; }
const PoolSpec& spec_of(const PoolSpec& pool) { return pool; }

/// Returns the order of the pool around `name`. `root`: the order of the root, where the root is not among
/// the pools.
template <class Pool>
PoolOrder order_around(const std::vector<Pool>& pools, const std::string& name, PoolOrder root) {
  const auto dot = name.rfind('.');
  const auto parent = dot == name.npos ? "" : name.substr(0, dot);
  for (const auto& pool : pools) {
    if (spec_of(pool).name == parent) return spec_of(pool).order;
  }
  return parent.empty() ? root : PoolOrder::fair;
}

/// Returns a key without effect of any pool, whose siblings have `around` as their order.
std::optional<Idle> idle_share_key(const PoolSpec& pool, PoolOrder around) {
  const std::string_view promise = pool.min_share.empty() ? "min_share_timeout" : "min_share";
  const bool promises = !pool.min_share.empty() || pool.min_share_timeout;
  if (pool.user_limit != kNoUserLimit && pool.order == PoolOrder::fair) {
    return Idle{"user_limit", "its order is \"fair\", which counts no users"};
  }
  if (pool.name.empty()) {
    const bool weighs = pool.weight_milli != PoolSpec{}.weight_milli;
    if (!weighs && !promises) return {};
    return Idle{weighs ? "weight" : promise, "the root has all there is"};
  }
  if (!promises || around == PoolOrder::fair) return {};
  const auto word = enum_name(kPoolOrders, around);
  return Idle{promise, fmt::format("the pool around it has the order \"{}\", not \"fair\"", word)};
}

std::optional<Idle> idle_key(const Pools& pools, const AllocatorPool& pool) {
  if (pool.share.order == PoolOrder::deadline) {
    return Idle{"order", "\"deadline\" is for pools of jobs, and no framework is due at a time"};
  }
  const auto around = order_around(pools, pool.share.name, PoolOrder::fair);
  if (auto idle = idle_share_key(pool.share, around)) return idle;
  if (pool.share.min_share_timeout && is_restricted(pools, pool.share.name)) {
    return Idle{"min_share_timeout", "slots are only taken from others for pools that may have every agent"};
  }
  return {};
}

/// Returns a min share of slots that no task takes.
std::optional<Idle> idle_kind(const PoolSpec& pool, std::span<const Kind> kinds) {
  std::vector<std::string_view> names;
  for (const auto& kind : kinds) names.push_back(kind.name());
  for (const auto& [kind, units] : pool.min_share) {
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    return Idle{"min_share", fmt::format("no task takes slots of kind {}, only of {}", kind.name(),
                                         fmt::join(names, " and "))};
  }
  return {};
}

PoolContradiction contradiction(const std::string& pool, const Idle& idle) {
  const auto& [key, why] = idle;
  return {pool, key, fmt::format("{} of the pool \"{}\" would do nothing: {}; leave it out", key, pool, why)};
}

/// Refuses places for a pool in one with private agents: its frameworks would be a class of their own, which
/// is no part of the class that is given the agents.
std::optional<PoolContradiction> place_in_private(const Pools& pools, const AllocatorPool& pool) {
  const auto key = place_of(pool);
  if (key.empty()) return {};
  for (const auto& other : pools) {
    const auto& around = other.share.name;
    if (other.private_agents == 0 || around == pool.share.name || !lies_in(pool.share.name, around)) continue;
    return PoolContradiction{
        pool.share.name, key,
        fmt::format(
            "{} of the pool \"{}\" cannot be: the pool \"{}\" around it is assigned agents for all pools "
            "in it (private_agents); leave it out",
            key, pool.share.name, around)};
  }
  return {};
}

}  // namespace

std::optional<PoolContradiction> find_contradiction(const Pools& pools) {
  for (const auto& pool : pools) {
    if (const auto idle = idle_key(pools, pool)) return contradiction(pool.share.name, *idle);
    if (auto misplaced = place_in_private(pools, pool)) return misplaced;
  }
  return {};
}

std::optional<PoolContradiction> find_contradiction(const std::vector<PoolSpec>& pools, PoolOrder root,
                                                    std::span<const Kind> kinds) {
  for (const auto& pool : pools) {
    auto idle = idle_share_key(pool, order_around(pools, pool.name, root));
    if (!idle) idle = idle_kind(pool, kinds);
    if (idle) return contradiction(pool.name, *idle);
  }
  return {};
}

}  // namespace proffer
