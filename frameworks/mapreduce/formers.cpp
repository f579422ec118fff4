#include "frameworks/mapreduce/formers.hpp"

#include <algorithm>
#include <iterator>

namespace proffer::mapreduce {

Result<std::vector<JobId>> find_formers(const std::map<JobId, Job>& jobs, JobId id, const JobSpec& spec) {
  std::vector<JobId> formers;
  const auto newest_first = std::make_reverse_iterator(jobs.lower_bound(id));
  for (const auto& name : spec.after) {
    const auto at = std::find_if(newest_first, jobs.rend(),
                                 [&](const auto& entry) { return entry.second.spec.name == name; });
    if (at == jobs.rend()) {
      return Error{ErrorCode::invalid, "the job comes after \"" + name + "\", which is no job before it"};
    }
    formers.push_back(at->first);
  }
  return formers;
}

bool may_follow(const std::map<JobId, Job>& jobs, const Job& job) {
  return std::all_of(job.formers.begin(), job.formers.end(),
                     [&](JobId former) { return jobs.at(former).phase == JobPhase::succeeded; });
}

std::optional<std::string> cannot_follow(const std::map<JobId, Job>& jobs, const Job& job) {
  for (const auto former : job.formers) {
    const auto& before = jobs.at(former);
    if (before.phase == JobPhase::failed) return "it comes after " + before.spec.name + ", which has failed";
  }
  return {};
}

}  // namespace proffer::mapreduce
