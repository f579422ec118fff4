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
  std::vector<WaitClock*> skipped;
  auto reason = DeclineReason::no_pending_task;
  for (const auto job : jobs.in_order(slot.kind)) {
    const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
    if (!nearest) continue;
    if (!standings_.may_wait(job, slot.kind, jobs)) return Take{job, *nearest, {}};
    auto& clock = clocks_[{slot.kind, job}];
    const auto allowed = clock.allowed(slot.idle, settings_of(job, slot.kind, jobs));
    if (*nearest <= allowed) return take(clock, job, slot.kind, jobs, *nearest);
    if (conserving) {
      if (!otherwise) otherwise = Take{job, *nearest, clock.waited()};
      continue;
    }
    clock.skip();
    skipped.push_back(&clock);
    if (reason == DeclineReason::no_pending_task) reason = waits_for(allowed);
  }
  if (otherwise) return *otherwise;
  for (auto* clock : skipped) clock->skipped_by_all();
  return Pass{reason};
}

Take WaitPolicy::take(WaitClock& clock, JobId job, Kind kind, const Candidates& jobs, Locality locality) {
  const auto waited = clock.waited();  // read before launch(), which may set it back
  Due has;
  if (settings_.reset == ResetRule::pro_rata || settings_.reset == ResetRule::share_aware) {
    const auto running = jobs.running(job, kind) + 1;
    launches_[{kind, job}].launched(locality, running);
    has = due(job, kind, jobs, running, locality);
  }
  clock.launch(locality, has, settings_of(job, kind, jobs));
  return Take{job, locality, waited};
}

Due WaitPolicy::due(JobId job, Kind kind, const Candidates& jobs, std::int64_t running,
                    Locality locality) const {
  static const RecentLaunches kNone;
  const auto at = launches_.find({kind, job});
  const auto& launches = at == launches_.end() ? kNone : at->second;
  return due_of(launches, job, kind, jobs, running, standings_[kind].fair, locality);
}

std::optional<Time> WaitPolicy::next_level_change(Kind kind, const Candidates& jobs, Time now) const {
  std::optional<Time> next;
  const auto newest = newest_.find(kind);
  if (newest == newest_.end()) return next;
  for (const auto job : jobs.in_order(kind)) {
    const auto at = clocks_.find({kind, job});
    if (at == clocks_.end() || !standings_.may_wait(job, kind, jobs)) continue;
    const auto& clock = at->second;
    const auto settings = settings_of(job, kind, jobs);
    if (const auto left = clock.until_next_level(settings)) {
      next = earlier(next, std::max(newest->second.at + *left, now));
    } else if (clock.allowed(false, settings) < clock.allowed(true, settings)) {
      next = earlier(next, now + settings.idle_after);
    }
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
