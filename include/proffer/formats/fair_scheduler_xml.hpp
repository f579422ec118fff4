// Import of Hadoop's fair-scheduler.xml as pools: the form with <pool> of the first Fair Scheduler (Hadoop
// 0.20), and the form with <queue> of YARN.
//
//   <pool name>, <queue name> (queues within queues)   [[pool]] name
//   weight                                             weight
//   minMaps, minReduces                                min_share = { map, reduce }
//   minResources ("X mb, Y vcores")                    min_share = { memory, cpus }
//   schedulingMode, schedulingPolicy (fair, fifo)      order
//   schedulingPolicy drf (by default, or of the root)  [allocator] share_by
//   maxRunningJobs, maxRunningApps                     max_running
//   <user name> with maxRunningJobs, maxRunningApps    [[user]] name, max_running
//   userMaxJobsDefault, userMaxAppsDefault             max_running_per_user of the root
//   minSharePreemptionTimeout (seconds)                min_share_timeout
//   fairSharePreemptionTimeout (at the top)            [allocator] fair_share_timeout
//   fairSharePreemptionThreshold (at the top)          [allocator] fair_share_threshold
//   defaultMinSharePreemptionTimeout, default...       for all pools that do not set it themselves
//
// Policies may be YARN's classes as well. Everything else is named as not supported, with its place, and left
// out. So are settings that would have no effect (weight and min share of the root, min shares in a fifo
// pool) and settings that mean something else here (0 jobs that may run, drf of one queue beside fair of
// others). When a pool occurs twice, its later settings count, as in Hadoop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proffer/allocator/allocator.hpp"
#include "proffer/result.hpp"

namespace proffer {

struct ImportedPools {
  AllocatorConfig allocator;  ///< only its pools, users, preemption and share_by mean something
  /// Differences from the file, a sentence each: "FILE:LINE: pool a: maxResources is not supported, and left
  /// out"
  std::vector<std::string> unsupported;
};

/// Reads pools from XML. `invalid` with FILE:LINE for text that is no XML, that has another root than
/// <allocations>, whose values cannot be read or are out of range, or whose queues are nested too deep.
/// parse_config can read the printed result.
Result<ImportedPools> import_fair_scheduler_xml(std::string_view text, std::string_view file);

/// The pools as [allocator] and [[pool]] of a configuration file.
std::string print_pools(const ImportedPools& imported);

}  // namespace proffer
