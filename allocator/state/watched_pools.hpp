// Pools that can be starved: those of the configuration that may have every agent, with all pools in them.
// For other pools a slot that others give back may lie where nobody who lacks one may have it.
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

/// Returns the pools that have a time after which they are starved.
std::vector<WatchedPool> watched_pools(const AllocatorConfig& config, const Eligibility& eligibility,
                                       const ShareTree& tree);

}  // namespace proffer::allocator
