#include "frameworks/policies/matchmaking.hpp"

namespace proffer {

MatchmakingPolicy::MatchmakingPolicy(Settings& settings)
    : pass_(settings.duration("pass", std::chrono::seconds(3))) {}

Choice MatchmakingPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time /*now*/) {
  const auto order = jobs.in_order(slot.kind);
  if (order.empty()) return Pass{DeclineReason::no_pending_task};
  auto& marks = marks_[slot.kind];
  note_new_jobs(marks, order);
  std::optional<Take> first;
  for (const auto job : order) {
    const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
    if (!nearest) continue;
    if (!first) first = Take{job, *nearest, {}};
    if (nearest == Locality::node || !jobs.has_preferences(job, slot.kind)) {
      marks.agents.erase(slot.agent.id);
      return Take{job, *nearest, {}};
    }
  }
  if (!first) return Pass{DeclineReason::no_pending_task};
  if (marks.agents.erase(slot.agent.id) > 0) return *first;
  marks.agents.insert(slot.agent.id);
  return Pass{DeclineReason::no_node_local};
}

void MatchmakingPolicy::note_new_jobs(Marks& marks, std::span<const JobId> jobs) {
  for (const auto job : jobs) {
    if (marks.jobs.insert(job).second) marks.agents.clear();
  }
}

std::optional<Time> MatchmakingPolicy::next_level_change(Kind, const Candidates&, Time now) const {
  return now + pass_;
}

void MatchmakingPolicy::job_ended(JobId job) {
  for (auto& [kind, marks] : marks_) marks.jobs.erase(job);
}

}  // namespace proffer
