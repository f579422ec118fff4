#include "proffer/pool_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proffer/pool_path.hpp"

namespace proffer {
namespace {

/// A key, and why nothing would come of it.
using Idle = std::pair<std::string_view, std::string>;
using Pools = std::vector<AllocatorPool>;

/// The key that says where its frameworks may be offered slots; empty: none does.
std::string_view place_of(const AllocatorPool& pool) {
  if (!pool.racks.empty()) return "racks";
  if (!pool.agents.empty()) return "agents";
  return pool.private_agents > 0 ? "private_agents" : "";
}

/// That pool, one around it or one in it has agents of its own.
bool is_restricted(const Pools& pools, const std::string& name) {
  return std::any_of(pools.begin(), pools.end(), [&](const AllocatorPool& other) {
    if (place_of(other).empty()) return false;
    return lies_in(name, other.share.name) || lies_in(other.share.name, name);
  });
}

PoolOrder order_around(const Pools& pools, const std::string& name) {
  const auto dot = name.rfind('.');
  const auto parent = dot == name.npos ? "" : name.substr(0, dot);
  for (const auto& pool : pools) {
    if (pool.share.name == parent) return pool.share.order;
  }
  return PoolOrder::fair;
}

std::optional<Idle> idle_key(const Pools& pools, const AllocatorPool& pool) {
  const auto& name = pool.share.name;
  const std::string_view promise = pool.share.min_share.empty() ? "min_share_timeout" : "min_share";
  const bool promises = !pool.share.min_share.empty() || pool.min_share_timeout;
  if (name.empty()) {
    const bool weighs = pool.share.weight_milli != PoolSpec{}.weight_milli;
    if (!weighs && !promises) return {};
    return Idle{weighs ? "weight" : promise, "the root has all there is"};
  }
  const auto around = order_around(pools, name);
  if (promises && around != PoolOrder::fair) {
    const auto word = kPoolOrders[static_cast<std::size_t>(around)];
    return Idle{promise, fmt::format("the pool around it has the order \"{}\", not \"fair\"", word)};
  }
  if (pool.min_share_timeout && is_restricted(pools, name)) {
    return Idle{"min_share_timeout", "slots are only taken from others for pools that may have every agent"};
  }
  return {};
}

/// Its frameworks would be a class of their own, which is no part of the one that is given the agents.
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
    if (const auto idle = idle_key(pools, pool)) {
      const auto& [key, why] = *idle;
      return PoolContradiction{
          pool.share.name, key,
          fmt::format("{} of the pool \"{}\" would do nothing: {}; leave it out", key, pool.share.name, why)};
    }
    if (auto misplaced = place_in_private(pools, pool)) return misplaced;
  }
  return {};
}

}  // namespace proffer
