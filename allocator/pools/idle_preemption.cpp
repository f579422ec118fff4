// Preemption that is set, and of which nothing would come.
#include <algorithm>

#include "proffer/allocator/allocator.hpp"
#include "proffer/names.hpp"

namespace proffer {

std::optional<std::string> idle_preemption(const AllocatorConfig& config) {
  const auto& preemption = config.preemption;
  const bool is_off = preemption.mode == PreemptionMode::off;
  if (is_off && !preemption.fair_share_timeout) return {};
  const auto mode = std::string(enum_name(kPreemptionModes, preemption.mode));
  const auto key = is_off ? "fair_share_timeout" : "preemption = \"" + mode + "\"";
  const auto& pools = config.pools;
  if (std::all_of(pools.begin(), pools.end(), [](const auto& pool) { return pool.share.name.empty(); })) {
    return key +
           " does nothing: only pools can starve, not frameworks that lie directly in the root, and there is "
           "no [[pool]] but the root";
  }
  const bool timed = preemption.fair_share_timeout ||
                     std::any_of(pools.begin(), pools.end(),
                                 [](const auto& pool) { return pool.share.min_share_timeout.has_value(); });
  if (timed) return {};
  return key + " does nothing: nothing says after which time a pool is starved; set fair_share_timeout, or " +
         "min_share_timeout of a pool";
}

}  // namespace proffer
