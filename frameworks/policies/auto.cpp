#include "frameworks/policies/auto.hpp"

#include <algorithm>
#include <utility>

namespace proffer::policies {
namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr Duration kLongestFresh = std::chrono::seconds(10);
constexpr int kPartOfTask = 32;

}  // namespace

AutoPolicy::AutoPolicy(Settings& settings)
    : WaitPolicy(WaitSettings{}), locality_(settings.millionths("locality", 980'000)) {}

void AutoPolicy::shown(std::span<const Offer> offers, const Candidates&, Time) {
  for (const auto& offer : offers) {
    for (const auto& [kind, units] : offer.resources) {
      auto& slots = views_[kind].slots;
      slots = std::max(slots, units);
    }
  }
}

Choice AutoPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time now) {
  auto choice = WaitPolicy::consider(slot, jobs, now);
  const auto* take = std::get_if<Take>(&choice);
  if (take == nullptr || !jobs.has_preferences(take->job, slot.kind)) return choice;
  auto& view = views_[slot.kind];
  ++view.launched;
  if (take->locality == Locality::node) ++view.near;
  return choice;
}

void AutoPolicy::task_finished(const RunningTask& task, Kind kind, Duration run_time) {
  if (!task.preferred) return;
  auto& view = views_[kind];
  view.savings.finished(task.job, task.locality == Locality::node, run_time);
  const auto saves = view.savings.expected();
  // Not at every small change, since each REVIVE brings all idle slots again.
  const bool falls = saves < view.saves - view.saves / 4;
  if (falls) view.widened = true;
  if (falls || saves > view.saves) view.saves = saves;
}

bool AutoPolicy::take_widened(Kind kind) {
  const auto at = views_.find(kind);
  return at != views_.end() && std::exchange(at->second.widened, false);
}

WaitSettings AutoPolicy::settings_of(JobId job, Kind kind, const Candidates& jobs) const {
  WaitSettings wait;
  const auto at = views_.find(kind);
  if (at == views_.end()) return wait;
  const auto& view = at->second;
  const auto worth = 2 * view.savings.expected();
  const auto known_task = view.savings.task_time();
  const auto task = known_task.value_or(worth);
  const auto held_back = due(job, kind, jobs, jobs.running(job, kind), Locality::node).held_back();
  const auto near_slots = jobs.preferred_agents(job, kind) * view.slots;
  if (held_back * task <= near_slots * worth) wait.node_wait = worth;
  if (view.launched > 0 && view.near * kMillion >= view.launched * locality_) return wait;
  if (known_task) wait.node_wait = std::max(wait.node_wait, task / kPartOfTask);
  if (held_back > near_slots) return wait;
  wait.fresh_wait = known_task ? std::min(kLongestFresh, 2 * task) : kLongestFresh;
  wait.idle_after = task / kPartOfTask;
  return wait;
}

void AutoPolicy::job_ended(JobId job) {
  WaitPolicy::job_ended(job);
  for (auto& [kind, view] : views_) view.savings.forget(job);
}

}  // namespace proffer::policies
