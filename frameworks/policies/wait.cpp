#include "frameworks/policies/wait.hpp"

#include <algorithm>

namespace proffer::policies {
namespace {

WaitSettings read_wait(Settings& settings) {
  constexpr Duration kMost = std::chrono::seconds(15);
  constexpr Duration kUsualHeartbeat = std::chrono::seconds(1);  // used where the cluster has none
  constexpr std::string_view kShown = "1.5 heartbeats, up to 15s";
  const auto heartbeat = settings.heartbeat() > Duration::zero() ? settings.heartbeat() : kUsualHeartbeat;
  const auto usual = std::min(kMost, heartbeat * 3 / 2);
  WaitSettings wait;
  wait.node_wait = settings.duration("node_wait", usual, kShown);
  wait.rack_wait = settings.duration("rack_wait", usual, kShown);
  wait.reset = static_cast<ResetRule>(settings.choice("reset", kResetRules));
  wait.work_conserving = settings.flag("work_conserving");
  return wait;
}

}  // namespace

WaitPolicy::WaitPolicy(Settings& settings) : settings_(read_wait(settings)) {}

void WaitPolicy::opportunity(std::span<const Standing> standings, const Candidates&, Time) {
  ++messages_;
  standings_.update(standings);
}

/// Advances the clocks at the first slot of the kind in a message: a message without such a slot is no
/// opportunity for that kind.
void WaitPolicy::tick_clocks(Kind kind, Time now) {
  auto& newest = newest_[kind];
  if (newest.message == messages_) return;
  const auto first = clocks_.lower_bound({kind, JobId{}});
  for (auto at = first; at != clocks_.end() && at->first.first == kind; ++at) {
    at->second.tick(now - newest.at, newest.complete, settings_);
  }
  newest = {now, messages_, standings_[kind].complete};
}

Choice WaitPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time now) {
  tick_clocks(slot.kind, now);
  const bool conserving = settings_.work_conserving && !standings_[slot.kind].contended;
  std::optional<Take> otherwise;
  auto reason = DeclineReason::no_pending_task;
  for (const auto job : jobs.in_order(slot.kind)) {
    const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
    if (!nearest) continue;
    if (!standings_.may_wait(job, slot.kind, jobs)) return Take{job, *nearest, {}};
    auto& clock = clocks_[{slot.kind, job}];
    const auto allowed = clock.allowed(settings_);
    if (*nearest <= allowed) {
      const auto waited = clock.waited();  // read before launch(), which may set it back
      clock.launch(*nearest, has_its_share(job, slot.kind, jobs, *nearest), settings_);
      return Take{job, *nearest, waited};
    }
    if (conserving) {
      if (!otherwise) otherwise = Take{job, *nearest, clock.waited()};
      continue;
    }
    clock.skip();
    if (reason == DeclineReason::no_pending_task) reason = waits_for(allowed);
  }
  if (otherwise) return *otherwise;
  return Pass{reason};
}

bool WaitPolicy::has_its_share(JobId job, Kind kind, const Candidates& jobs, Locality locality) {
  return settings_.reset != ResetRule::share_aware ||
         half_its_share_is_near(launches_[{kind, job}], job, kind, jobs, standings_[kind].fair, locality);
}

std::optional<Time> WaitPolicy::next_level_change(Kind kind, const Candidates& jobs, Time now) const {
  std::optional<Time> next;
  const auto newest = newest_.find(kind);
  if (newest == newest_.end()) return next;
  for (const auto job : jobs.in_order(kind)) {
    const auto at = clocks_.find({kind, job});
    if (at == clocks_.end() || !standings_.may_wait(job, kind, jobs)) continue;
    const auto left = at->second.until_next_level(settings_);
    if (left) next = earlier(next, std::max(newest->second.at + *left, now));
  }
  if (next && settings_.work_conserving) next = std::min(*next, now + kConservingLooksAgain);
  return next;
}

Duration WaitPolicy::waited(JobId job, Kind kind, const Candidates& jobs, Time now) const {
  const auto at = clocks_.find({kind, job});
  if (at == clocks_.end() || !standings_.may_wait(job, kind, jobs)) return {};
  return at->second.waited(now - newest_.at(kind).at);
}

void WaitPolicy::job_ended(JobId job) {
  const auto of_it = [job](const auto& entry) { return entry.first.second == job; };
  std::erase_if(clocks_, of_it);
  std::erase_if(launches_, of_it);
}

}  // namespace proffer::policies
