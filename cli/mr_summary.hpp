// What a MapReduce framework leaves behind, for people.
#pragma once

#include <string>

#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::cli {

/// Hadoop's closing lines of one job, for people.
std::string counters_text(const JobReport& report);

/// "Offers received=61, accepted=26, declined=35 (no-node-local 33, too-small 2)"
std::string offers_text(const OfferTotals& totals);

}  // namespace proffer::cli
