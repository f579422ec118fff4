#include "frameworks/policies/skip.hpp"

#include <array>

namespace proffer::policies {
namespace {

constexpr std::array<std::string_view, 2> kSkipResets{"on-local-launch", "on-launch"};

SkipSettings read_skip(Settings& settings) {
  SkipSettings skip;
  skip.node_skips = settings.count("node_skips", {});
  skip.rack_skips = settings.count("rack_skips", skip.node_skips, "as node_skips");
  skip.idle_after = settings.duration_or_never("idle_after", skip.idle_after);
  skip.reset_on_launch = settings.choice("reset", kSkipResets) == 1;
  skip.work_conserving = settings.flag("work_conserving");
  return skip;
}

}  // namespace

SkipPolicy::SkipPolicy(Settings& settings) : settings_(read_skip(settings)) {}

void SkipPolicy::opportunity(std::span<const Standing> standings, const Candidates&, Time) {
  standings_.update(standings);
}

Choice SkipPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time now) {
  const bool conserving = settings_.work_conserving && !standings_[slot.kind].contended;
  std::optional<Take> otherwise;
  auto reason = DeclineReason::no_pending_task;
  for (const auto job : jobs.in_order(slot.kind)) {
    const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
    if (!nearest) continue;
    if (!standings_.may_wait(job, slot.kind, jobs)) return Take{job, *nearest, {}};
    auto& count = counts_[{slot.kind, job}];
    // An offer counts as one look: a job that let one of its slots pass lets all of them pass.
    const bool passed = count.skipped == slot.offer && *nearest != Locality::node;
    if (!passed && *nearest <= allowed(count)) {
      const Take take{job, *nearest, waited(count, now)};
      launch(count, *nearest);
      return take;
    }
    if (conserving) {
      if (!otherwise) otherwise = Take{job, *nearest, waited(count, now)};
      continue;
    }
    if (!passed) skip(count, slot, now);
    if (reason == DeclineReason::no_pending_task) reason = waits_for(count.held);
  }
  if (otherwise) return *otherwise;
  return Pass{reason};
}

Locality SkipPolicy::allowed(const Count& count) const {
  if (count.skips < settings_.node_skips) return Locality::node;
  if (count.skips < settings_.node_skips + settings_.rack_skips) return Locality::rack;
  return Locality::any;
}

void SkipPolicy::launch(Count& count, Locality locality) const {
  if (locality == Locality::node || settings_.reset_on_launch) {
    count.skips = 0;
    count.since.reset();
  }
  const auto all = settings_.node_skips + settings_.rack_skips;
  if (locality == Locality::rack && count.skips >= all) count.skips = settings_.node_skips;
}

Duration SkipPolicy::waited(const Count& count, Time now) {
  return count.since ? now - *count.since : Duration::zero();
}

Duration SkipPolicy::waited(JobId job, Kind kind, const Candidates& jobs, Time now) const {
  const auto at = counts_.find({kind, job});
  return at == counts_.end() || !standings_.may_wait(job, kind, jobs) ? Duration::zero()
                                                                      : waited(at->second, now);
}

/// Returns the number of skips at which the job will accept more than now.
std::int64_t SkipPolicy::next_level(const Count& count) const {
  return count.skips < settings_.node_skips ? settings_.node_skips
                                            : settings_.node_skips + settings_.rack_skips;
}

void SkipPolicy::skip(Count& count, const SlotLook& slot, Time now) {
  if (!count.since) count.since = now;
  count.skipped = slot.offer;
  count.last_pass = now;
  count.held = allowed(count);
  const bool seen = !count.looked.insert(slot.agent.id).second;
  if (!slot.idle || !seen) {
    ++count.skips;
  } else if (settings_.idle_after && now - count.last_look >= *settings_.idle_after) {
    count.skips = next_level(count);
  } else {
    return;
  }
  count.last_look = now;
  if (allowed(count) != count.held) widened_.insert(slot.kind);
}

bool SkipPolicy::take_widened(Kind kind) { return widened_.erase(kind) > 0; }

std::optional<Time> SkipPolicy::next_level_change(Kind kind, const Candidates& jobs, Time now) const {
  for (const auto job : jobs.in_order(kind)) {
    const auto at = counts_.find({kind, job});
    if (at == counts_.end() || !standings_.may_wait(job, kind, jobs)) continue;
    if (allowed(at->second) != Locality::any) return now;
  }
  return {};
}

std::optional<Time> SkipPolicy::look_again_at(Kind kind, const Candidates& jobs) const {
  std::optional<Time> next;
  if (!settings_.idle_after && !settings_.work_conserving) return next;
  for (const auto job : jobs.in_order(kind)) {
    const auto at = counts_.find({kind, job});
    if (at == counts_.end() || !at->second.skipped || !standings_.may_wait(job, kind, jobs)) continue;
    const auto& count = at->second;
    if (allowed(count) == Locality::any) continue;
    if (settings_.idle_after) next = earlier(next, count.last_look + *settings_.idle_after);
    if (settings_.work_conserving) next = earlier(next, count.last_pass + kConservingLooksAgain);
  }
  return next;
}

void SkipPolicy::job_ended(JobId job) {
  std::erase_if(counts_, [job](const auto& entry) { return entry.first.second == job; });
}

}  // namespace proffer::policies
