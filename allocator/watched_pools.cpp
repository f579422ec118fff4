#include "allocator/watched_pools.hpp"

namespace proffer::allocator {

std::vector<WatchedPool> watched_pools(const AllocatorConfig& config, const Eligibility& eligibility,
                                       const ShareTree& tree) {
  std::vector<WatchedPool> watched;
  if (config.preemption.mode == PreemptionMode::off) return watched;
  for (const auto& pool : config.pools) {
    const auto& name = pool.share.name;
    if (name.empty() || eligibility.class_of(name) != 0) continue;
    watched.push_back({name, *tree.find_pool(name), pool.min_share_timeout});
  }
  return watched;
}

}  // namespace proffer::allocator
