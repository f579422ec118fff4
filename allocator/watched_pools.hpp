// Pools that may be starved: those of the configuration that may have every agent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocator/eligibility.hpp"
#include "proffer/allocator/allocator.hpp"

namespace proffer::allocator {

struct WatchedPool {
  std::string name;
  ShareNode pool;
  std::optional<Duration> min_share_timeout;
};

/// None while preemption is off.
std::vector<WatchedPool> watched_pools(const AllocatorConfig& config, const Eligibility& eligibility,
                                       const ShareTree& tree);

}  // namespace proffer::allocator
