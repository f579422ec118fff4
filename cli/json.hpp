// The JSON that commands print for programs.
#pragma once

#include <string>
#include <vector>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/live/store_commands.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::cli {

std::string entries_json(const std::vector<live::StoreEntry>& entries);

/// The summary of a framework's jobs; seconds on one clock:
/// {"framework","policy","jobs":[{…,"submitted_s","started_s","finished_s","counters":{group:{name:n}}}],
///  "maps":{"node","rack","any","local_timed","local_seconds","other_timed","other_seconds"},
///  "offers":{"received","accepted","tasks_launched","declined":{reason:n}}}
std::string mr_summary_json(const MapReduce& jobs, const std::string& framework, const std::string& policy);

/// The detached jobs, as a list; `exit` is null of those that have not ended.
std::string jobs_json(const std::vector<DetachedJob>& jobs);

}  // namespace proffer::cli
