// What the flags of `proffer mr` say of its scheduler.
#pragma once

#include "cli/options.hpp"
#include "proffer/formats/job_list.hpp"
#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::cli {

/// Among the jobs that are in no pool, and the uppermost pools.
PoolOrder order_of(const MrOptions& options);

/// With the pools and users of `list`. `invalid` with the flag that is wrong or would do nothing;
/// parse_policy's errors.
Result<MapReduceConfig> mr_config(const MrOptions& options, const JobList& list);

}  // namespace proffer::cli
