// What a plan must hold before either world runs it, and its jobs as frameworks take them.
#pragma once

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"

namespace proffer::study {

/// `invalid` or `not_found` with one sentence that names the job, node or framework.
Result<> check_plan(const Plan& plan);

/// A synthetic job. `token` as JobSpec has it.
JobSpec job_spec(const Workload& workload, const WorkloadJob& job, std::string token);

/// The measured time of a response begins before, and ends after, what the framework sees of the job.
inline Duration submitted_at(const WorkloadJob& job) { return job.submit + job.setup; }

}  // namespace proffer::study
