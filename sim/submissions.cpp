#include "sim/submissions.hpp"

#include "proffer/sim/simulate.hpp"
#include "proffer/study/plan_rules.hpp"

namespace proffer::sim {

void Submissions::begin() {
  std::map<std::string, std::size_t> by_name;
  for (std::size_t n = 0; n < plan_.frameworks.size(); ++n) by_name[plan_.frameworks[n].name] = n;
  const auto& jobs = plan_.workload.jobs;
  for (std::uint32_t job = 0; job < jobs.size(); ++job) {
    framework_of_job_.push_back(by_name.at(jobs[job].framework));
    if (jobs[job].after.empty()) {
      queue_.push(kStart + study::submitted_at(jobs[job]), What::submission, job);
    } else {
      successors_[jobs[job].after].push_back(job);
    }
  }
}

Result<NodeNo> Submissions::submit(std::uint32_t number) {
  const auto& job = plan_.workload.jobs[number];
  const auto& [node, framework] = frameworks_[framework_of_job_[number]];
  const auto submitted = framework->submit(study::job_spec(plan_, job, "simulated"));
  if (!submitted) return submitted.error();
  submitted_[{node, *submitted}] = number;
  return node;
}

void Submissions::finished(NodeNo node, const JobFinished& trace, Time now) {
  ++ended_;
  const auto& job = plan_.workload.jobs[submitted_.at({node, trace.job})];
  if (!trace.ok) failed_.push_back(job.name + ": " + trace.why);
  const auto next = successors_.find(job.name);
  if (next == successors_.end()) return;
  for (const auto successor : next->second) {
    const auto after = job.cleanup + study::submitted_at(plan_.workload.jobs[successor]);
    queue_.push(now + after, What::submission, successor);
  }
}

}  // namespace proffer::sim
