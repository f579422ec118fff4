// What a MapReduce framework leaves behind: times, counters, offers, as JSON.
#pragma once

#include <string>

#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::cli {

/// {"framework","policy","jobs":[{…,"submitted_s","started_s","finished_s","counters":{group:{name:n}}}],
///  "maps":{"node","rack","any","local_timed","local_seconds","other_timed","other_seconds"},
///  "offers":{"received","accepted","tasks_launched","declined":{reason:n}}}; seconds on one clock.
std::string mr_summary_json(const MapReduce& jobs, const std::string& framework, const std::string& policy);

/// Hadoop's closing lines of one job, for people.
std::string counters_text(const JobReport& report);

/// "Offers received=61, accepted=26, declined=35 (no-node-local 33, too-small 2)"
std::string offers_text(const OfferTotals& totals);

}  // namespace proffer::cli
