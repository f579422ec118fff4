// The rules that a plan must obey before either world runs it, and its jobs in the form that frameworks take.
#pragma once

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"

namespace proffer::study {

/// Checks a plan. `invalid` or `not_found` with one sentence that names the job, node or framework.
Result<> check_plan(const Plan& plan);

/// Returns a synthetic job. `token`: see JobSpec.
JobSpec job_spec(const Plan& plan, const WorkloadJob& job, std::string token);

/// The time at which the framework sees the job: the measured response begins before it, and ends after what
/// the framework sees.
inline Duration submitted_at(const WorkloadJob& job) { return job.submit + job.setup; }

}  // namespace proffer::study
