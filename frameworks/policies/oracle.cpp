#include "frameworks/policies/oracle.hpp"

#include <algorithm>

namespace proffer::policies {
namespace {

constexpr Duration kOracleLooksAgain = std::chrono::milliseconds(500);
/// Local tasks of a job that are compared for one slot.
constexpr std::size_t kComparedTasks = 16;

}  // namespace

OraclePolicy::OraclePolicy(Settings& settings)
    : horizon_(settings.duration("horizon", std::chrono::seconds(15))) {}

Choice OraclePolicy::consider(const SlotLook& slot, const Candidates& jobs, Time now) {
  auto reason = DeclineReason::no_pending_task;
  for (const auto job : jobs.in_order(slot.kind)) {
    if (!jobs.nearest(job, slot.kind, slot.agent)) continue;
    if (const auto take = best(job, slot, jobs, now)) {
      waits_[{slot.kind, job}].since.reset();
      slots(slot.kind, now).take(slot.agent.id);
      return *take;
    }
    auto& since = waits_[{slot.kind, job}].since;
    if (!since) since = now;
    reason = DeclineReason::no_node_local;
  }
  return Pass{reason};
}

std::optional<Take> OraclePolicy::best(JobId job, const SlotLook& slot, const Candidates& jobs, Time now) {
  const auto nearest = jobs.nearest(job, slot.kind, slot.agent).value();
  if (!jobs.has_preferences(job, slot.kind)) return Take{job, nearest, {}};
  if (nearest == Locality::node) return local_task(job, slot, now);
  const bool waits = standings_.may_wait(job, slot.kind, jobs) && !was_deceived({slot.kind, job}, now);
  if (!waits) return Take{job, nearest, {}};
  return hopeless_task(job, slot, jobs, now);
}

/// Takes, among the tasks that are local on that slot, the one whose next slot elsewhere comes last.
std::optional<Take> OraclePolicy::local_task(JobId job, const SlotLook& slot, Time now) {
  const auto& future = slots(slot.kind, now);
  std::optional<Take> take;
  Time latest{};
  tasks_->each_waiting(job, slot.kind, slot.agent, Locality::node, kComparedTasks,
                       [&](const WaitingTask& task) {
                         const auto next = future.next(task.nodes, slot.agent.id).value_or(Time::max());
                         if (take && next <= latest) return;
                         latest = next;
                         take = Take{job, Locality::node, now - task.since, task.id};
                       });
  return take;
}

/// Takes the first task that will have no local slot in time.
std::optional<Take> OraclePolicy::hopeless_task(JobId job, const SlotLook& slot, const Candidates& jobs,
                                                Time now) {
  const auto& future = slots(slot.kind, now);
  const auto all = static_cast<std::size_t>(jobs.unlaunched(job, slot.kind));
  std::optional<Take> take;
  tasks_->each_waiting(job, slot.kind, slot.agent, Locality::any, all, [&](const WaitingTask& task) {
    if (take || future.next(task.nodes, slot.agent.id)) return;
    const bool in_rack = std::find(task.racks.begin(), task.racks.end(), slot.agent.rack) != task.racks.end();
    take = Take{job, in_rack ? Locality::rack : Locality::any, now - task.since, task.id};
  });
  return take;
}

FutureSlots& OraclePolicy::slots(Kind kind, Time now) {
  const auto at = slots_.find(kind);
  if (at != slots_.end()) return at->second;
  return slots_.try_emplace(kind, *foresight_, kind, now + horizon_).first->second;
}

bool OraclePolicy::was_deceived(const JobKind& job, Time now) {
  auto& wait = waits_[job];
  if (wait.since && now - *wait.since > 2 * horizon_) wait.in_vain = true;
  return wait.in_vain;
}

/// Returns a time soon: events that could not be foreseen change what is best, so a slot that stands idle is
/// looked at again.
std::optional<Time> OraclePolicy::next_level_change(Kind kind, const Candidates& jobs, Time now) const {
  if (jobs.in_order(kind).empty()) return {};
  return now + kOracleLooksAgain;
}

Duration OraclePolicy::waited(JobId job, Kind kind, const Candidates& jobs, Time now) const {
  const auto at = waits_.find({kind, job});
  const bool waits = at != waits_.end() && at->second.since && standings_.may_wait(job, kind, jobs);
  return waits ? now - *at->second.since : Duration::zero();
}

void OraclePolicy::job_ended(JobId job) {
  std::erase_if(waits_, [job](const auto& entry) { return entry.first.second == job; });
}

}  // namespace proffer::policies
