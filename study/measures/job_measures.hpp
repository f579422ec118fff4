// Measures over the jobs of a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proffer/study/results.hpp"

namespace proffer::study {

/// Adds the measures of counted jobs: locality over tasks, bytes and jobs, responses, both by bin as
/// NAME.BIN; jobs.finished, jobs.failed, jobs.unfinished; makespan from the first submission to the last end.
/// `map_bytes`: what a map of each job reads on the average.
void measure_jobs(const std::vector<JobRow>& jobs, const std::vector<double>& map_bytes,
                  std::map<std::string, double>& measures);

}  // namespace proffer::study
