// Measures over the jobs of a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proffer/study/results.hpp"

namespace proffer::study {

/// Of counted jobs: locality over tasks and over jobs, responses, both by bin as NAME.BIN; jobs.finished,
/// jobs.failed, jobs.unfinished; makespan from the first submission to the last end.
void measure_jobs(const std::vector<JobRow>& jobs, std::map<std::string, double>& measures);

}  // namespace proffer::study
