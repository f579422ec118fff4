#include "frameworks/policies/matchmaking.hpp"

namespace proffer::policies {

MatchmakingPolicy::MatchmakingPolicy(Settings& settings)
    : pass_(settings.duration("pass", std::chrono::seconds(3))) {
  if (pass_ <= Duration::zero()) settings.fail("pass", "longer than nothing");
}

Choice MatchmakingPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time now) {
  const auto order = jobs.in_order(slot.kind);
  if (order.empty()) return Pass{DeclineReason::no_pending_task};
  auto& marks = marks_[slot.kind];
  // First: a mark that is older than a new job must not give this slot to a non-local task.
  note_new_jobs(marks, order);
  std::optional<Take> first;
  std::vector<JobId> passing;
  const auto pass = [&] {
    for (const auto job : passing) marks.since.emplace(job, now);
  };
  for (const auto job : order) {
    const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
    if (!nearest) continue;
    if (!first) first = Take{job, *nearest, {}};
    if (nearest == Locality::node || !standings_.may_wait(job, slot.kind, jobs)) {
      marks.agents.erase(slot.agent.id);
      pass();
      return take(marks, {job, *nearest, {}}, now);
    }
    passing.push_back(job);
  }
  if (!first) return Pass{DeclineReason::no_pending_task};
  if (marks.agents.erase(slot.agent.id) > 0) return take(marks, *first, now);
  marks.agents.insert(slot.agent.id);
  pass();
  return Pass{DeclineReason::no_node_local};
}

/// Launches a task, which ends the job's wait.
Take MatchmakingPolicy::take(Marks& marks, Take take, Time now) {
  const auto since = marks.since.extract(take.job);
  if (!since.empty()) take.waited = now - since.mapped();
  return take;
}

void MatchmakingPolicy::note_new_jobs(Marks& marks, std::span<const JobId> jobs) {
  for (const auto job : jobs) {
    if (marks.jobs.insert(job).second) marks.agents.clear();
  }
}

std::optional<Time> MatchmakingPolicy::next_level_change(Kind, const Candidates&, Time now) const {
  return now + pass_;
}

Duration MatchmakingPolicy::waited(JobId job, Kind kind, const Candidates& jobs, Time now) const {
  const auto marks = marks_.find(kind);
  if (marks == marks_.end() || !standings_.may_wait(job, kind, jobs)) return {};
  const auto since = marks->second.since.find(job);
  return since == marks->second.since.end() ? Duration::zero() : now - since->second;
}

void MatchmakingPolicy::job_ended(JobId job) {
  for (auto& [kind, marks] : marks_) {
    marks.jobs.erase(job);
    marks.since.erase(job);
  }
}

}  // namespace proffer::policies
