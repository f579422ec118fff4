// The summary of a MapReduce framework for people.
#pragma once

#include <string>

#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::cli {

/// The closing lines of one job, like Hadoop's.
std::string counters_text(const JobReport& report);

/// The line "Offers received=61, accepted=26, declined=35 (no-node-local 33, too-small 2)".
std::string offers_text(const OfferTotals& totals);

}  // namespace proffer::cli
