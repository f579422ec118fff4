// The rules by which the jobs of one framework share its slots.
#pragma once

#include <cstdint>
#include <vector>

#include "proffer/pool.hpp"
#include "proffer/preemption.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// The usual longest time for which slots are gathered for a rigid job: a third of the usual time after which
/// the allocator takes back an offer that nobody has answered.
inline constexpr Duration kGatherFor = std::chrono::seconds(10);

/// The rules by which the jobs of a framework share its slots.
struct JobSharing {
  PoolOrder mode = PoolOrder::fair;  ///< order among the jobs that are in no pool and the uppermost pools
  std::vector<PoolSpec> pools = {};  ///< check_pools; a root among them goes before `mode` and `user_limit`
  /// The rules of preemption among these pools. Must go with `share_by`: see refuse_preemption(). The
  /// deadline has no effect, because the framework kills tasks itself and asks nobody to give slots back.
  PreemptionConfig preemption = {};
  std::uint32_t user_limit = kNoUserLimit;  ///< as PoolSpec's, of jobs that are in no pool
  ShareBy share_by = ShareBy::kind;
  std::vector<UserLimit> users = {};
  /// The time for which a task that has ended still counts as running in the order of jobs, though its slot
  /// is free: stock Hadoop counted so while a task waited for leave to commit its output, which hides sticky
  /// slots (EuroSys §3.2). 0: it does not.
  Duration commit_time = {};
};

}  // namespace proffer
