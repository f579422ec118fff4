// Pools that may be starved: those of the configuration that may have every agent, with all pools in them.
// Elsewhere a slot that others give back may lie where nobody who lacks one may have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocator/tables/eligibility.hpp"
#include "proffer/allocator/allocator.hpp"

namespace proffer::allocator {

struct WatchedPool {
  std::string name;
  ShareNode pool;
  std::optional<Duration> min_share_timeout;
};

/// None where no pool is given a time after which it is starved.
std::vector<WatchedPool> watched_pools(const AllocatorConfig& config, const Eligibility& eligibility,
                                       const ShareTree& tree);

}  // namespace proffer::allocator
