// The configuration of the scheduler from the flags of `proffer mr`.
#pragma once

#include "cli/options.hpp"
#include "proffer/formats/job_list.hpp"
#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::cli {

/// Returns the order among the jobs that are in no pool, and the uppermost pools.
PoolOrder order_of(const MrOptions& options);

/// Returns the configuration, with the pools and users of `list`. `invalid` with the flag that is wrong or
/// would have no effect; errors of parse_policy.
Result<MapReduceConfig> mr_config(const MrOptions& options, const JobList& list);

}  // namespace proffer::cli
