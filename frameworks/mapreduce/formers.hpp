// The jobs that a job comes after: rules over the jobs of a framework, without any effect.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frameworks/mapreduce/job.hpp"
#include "proffer/result.hpp"

namespace proffer::mapreduce {

/// Returns the jobs that a job of that id comes after, by the names in its spec: of several the newest that
/// came before it. `invalid` with the name of one that there is not.
Result<std::vector<JobId>> find_formers(const std::map<JobId, Job>& jobs, JobId id, const JobSpec& spec);

/// Returns whether all jobs that this one comes after have succeeded.
bool may_follow(const std::map<JobId, Job>& jobs, const Job& job);
/// Returns why a job can never begin, in one sentence; none: it comes after no job that has failed.
std::optional<std::string> cannot_follow(const std::map<JobId, Job>& jobs, const Job& job);

}  // namespace proffer::mapreduce
