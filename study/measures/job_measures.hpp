// Measures over the jobs of a run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"
#include "study/measures/tenant_measures.hpp"

namespace proffer::study {

/// Adds the measures of counted jobs: locality over tasks, bytes and jobs, responses, both by bin as
/// NAME.BIN, and of each tenant; jobs.finished, jobs.failed, jobs.unfinished; makespan from the first
/// submission to the last end.
void measure_jobs(const Plan& plan, const std::vector<JobRow>& jobs, std::map<std::string, double>& measures,
                  TenantMeasures& tenants);

}  // namespace proffer::study
