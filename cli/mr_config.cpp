#include "cli/mr_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "proffer/formats/units.hpp"

namespace proffer::cli {
namespace {

/// Returns the value of a word. `word` is one of `names`: the parser has checked it.
template <class Enum, class Names>
Enum as_enum(const Names& names, const std::string& word) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), word) - names.begin());
}

/// Refuses preemption without pools of jobs: only those can starve.
Result<> check_preemption(const PreemptionConfig& preemption, const std::vector<PoolSpec>& pools) {
  const auto* flag = preemption.mode != PreemptionMode::off ? "--preemption"
                     : preemption.fair_share_timeout        ? "--fair-share-timeout"
                                                            : nullptr;
  if (flag == nullptr) return {};
  if (pools.empty()) {
    return Error{ErrorCode::invalid,
                 fmt::format("{} does nothing without pools: write [[pool]] into the file of --jobs", flag)};
  }
  const bool timed = preemption.fair_share_timeout ||
                     std::any_of(pools.begin(), pools.end(),
                                 [](const PoolSpec& pool) { return pool.min_share_timeout.has_value(); });
  if (timed) return {};
  return Error{ErrorCode::invalid,
               fmt::format("{} does nothing while nothing says after which time a pool is starved: give "
                           "--fair-share-timeout, or a pool a min_share_timeout",
                           flag)};
}

Result<PreemptionConfig> preemption_of(const MrOptions& options, const std::vector<PoolSpec>& pools) {
  PreemptionConfig preemption;
  preemption.mode = as_enum<PreemptionMode>(kPreemptionModes, options.sharing.preemption);
  preemption.fair_share_threshold_milli = std::lround(options.sharing.fair_share_threshold * 1000);
  if (!options.sharing.fair_share_timeout.empty()) {
    const auto timeout = parse_duration(options.sharing.fair_share_timeout);
    if (!timeout || *timeout <= Duration::zero()) {
      return Error{ErrorCode::invalid, "--fair-share-timeout: a duration above 0, as in 60s, not '" +
                                           options.sharing.fair_share_timeout + "'"};
    }
    preemption.fair_share_timeout = *timeout;
  }
  if (auto checked = check_preemption(preemption, pools); !checked) return checked.error();
  return preemption;
}

Result<Speculation> speculation_of(const MrSpeculationOptions& options) {
  const auto after = parse_duration(options.after);
  if (!after) {
    return Error{ErrorCode::invalid,
                 "--speculative-after: a duration, as in 60s, not '" + options.after + "'"};
  }
  const Speculation rules{options.on, std::lround(options.cap * 1000), std::lround(options.slowness * 1000),
                          *after};
  if (auto checked = check_speculation(rules); !checked) return checked.error();
  return rules;
}

}  // namespace

PoolOrder order_of(const MrOptions& options) {
  return as_enum<PoolOrder>(kPoolOrders, options.sharing.order);
}

Result<MapReduceConfig> mr_config(const MrOptions& options, const JobList& list) {
  auto policy = parse_policy(options.policy);
  if (!policy) return policy.error();
  auto preemption = preemption_of(options, list.pools);
  if (!preemption) return preemption.error();
  auto speculation = speculation_of(options.speculation);
  if (!speculation) return speculation.error();
  MapReduceConfig config;
  config.policy = std::move(*policy);
  config.sharing.pools = list.pools;
  config.sharing.users = list.users;
  config.max_running_jobs = options.sharing.max_running_jobs;
  config.sharing.preemption = *preemption;
  config.sharing.share_by = as_enum<ShareBy>(kSharesBy, options.sharing.share_by);
  config.slow_start_milli = static_cast<std::uint32_t>(std::lround(options.slow_start * 1000));
  config.max_copying = options.max_copying;
  config.balance_long_tasks = options.balance_long_tasks;
  config.speculation = *speculation;
  config.sharing.mode = order_of(options);
  if (auto refused = refuse_preemption(config.sharing.preemption, config.sharing.share_by);
      !refused.empty()) {
    return Error{ErrorCode::invalid, "--fair-share-timeout, --share-by: " + refused};
  }
  return config;
}

}  // namespace proffer::cli
