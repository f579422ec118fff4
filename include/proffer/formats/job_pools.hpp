// Pools of jobs, as the file of `proffer mr --jobs` and the experiment file have them.
#pragma once

#include <string_view>
#include <vector>

#include "proffer/formats/toml.hpp"
#include "proffer/pool.hpp"
#include "proffer/result.hpp"

namespace proffer::formats {

/// Reads a list of tables. `section`: the written form of one table: "[[pool]]", or in words; `root`: the
/// order of the uppermost pools. `invalid` with FILE:LINE:COL: errors as read_settings, a pool without a name
/// or twice, and settings that would have no effect (pool_settings.hpp).
Result<std::vector<PoolSpec>> read_job_pools(const TomlNode& list, std::string_view section,
                                             std::string_view file, PoolOrder root);

}  // namespace proffer::formats
