// The end of a run's start-up phase: help to choose a warm-up.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proffer/study/results.hpp"
#include "study/measures/share_rows.hpp"

namespace proffer::study {

/// Adds start_up.response and start_up.utilisation: the time (seconds after the start) from which on MSER-5
/// takes the responses of jobs, in the order of their submission, and the map slots that run, sampled at even
/// times, to be steady; of the whole run, whatever its warm-up. None where nothing is steady.
void measure_start_up(const std::vector<JobRow>& jobs, const ShareRows& samples,
                      std::map<std::string, double>& measures);

}  // namespace proffer::study
