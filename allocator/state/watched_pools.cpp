#include "allocator/state/watched_pools.hpp"

#include <algorithm>

namespace proffer::allocator {

namespace {

/// Returns whether neither the pool nor a pool below it is limited to some agents.
bool may_have_all(const AllocatorConfig& config, const Eligibility& eligibility, const std::string& pool) {
  if (eligibility.class_of(pool) != 0) return false;
  return std::none_of(config.pools.begin(), config.pools.end(), [&](const AllocatorPool& other) {
    return other.share.name.starts_with(pool + ".") && eligibility.class_of(other.share.name) != 0;
  });
}

}  // namespace

std::vector<WatchedPool> watched_pools(const AllocatorConfig& config, const Eligibility& eligibility,
                                       const ShareTree& tree) {
  std::vector<WatchedPool> watched;
  for (const auto& pool : config.pools) {
    const auto& name = pool.share.name;
    if (!config.preemption.fair_share_timeout && !pool.share.min_share_timeout) continue;
    if (name.empty() || !may_have_all(config, eligibility, name)) continue;
    watched.push_back({name, *tree.find_pool(name), pool.share.min_share_timeout});
  }
  return watched;
}

}  // namespace proffer::allocator
