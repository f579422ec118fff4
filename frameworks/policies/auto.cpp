#include "frameworks/policies/auto.hpp"

#include <algorithm>
#include <utility>

#include "proffer/frameworks/delay_formula.hpp"

namespace proffer::policies {
namespace {

constexpr Duration kMostHopeless = std::chrono::seconds(15);
constexpr Duration kFirstHopeless = std::chrono::seconds(5);  // used before a task has ended
constexpr std::int64_t kMostLocality = 999'999;

}  // namespace

AutoPolicy::AutoPolicy(Settings& settings)
    : locality_(std::min(settings.millionths("locality", 950'000), kMostLocality)),
      hopeless_(settings.duration_if_given("hopeless", "half of a task's time, up to 15s")) {}

void AutoPolicy::opportunity(std::span<const Standing> standings, const Candidates&, Time) {
  ++messages_;
  standings_.update(standings);
}

AutoPolicy::View& AutoPolicy::look_at(const SlotLook& slot, const Candidates& jobs, Time now) {
  auto& view = views_[slot.kind];
  // First: the release below counts if a job has waited until now, which tick() finds out.
  if (view.message != messages_) tick(view, slot.kind, jobs, now);
  if (view.offer != slot.offer) view.seen.offered(slot.agent.id, !slot.idle);
  view.offer = slot.offer;
  return view;
}

/// A job's wait runs from the first slot that it lets pass until a launch starts it anew.
void AutoPolicy::tick(View& view, Kind kind, const Candidates& jobs, Time now) {
  const auto passed = view.message == 0 ? Duration::zero() : now - view.at;
  bool waiting = false;
  std::int64_t running = 0;
  for (auto& [job, wait] : view.waits) {
    running += jobs.running(job, kind);
    waiting = waiting || wait.skipped;
    if (wait.skipped) wait.waited += passed;
  }
  view.seen.passed(passed, running, waiting);
  view.at = now;
  view.message = messages_;
  view.hopeless = hopeless(view, running);
  note_widened(view, kind, jobs);
}

/// Slots that a job refused for a time that turns out too long are to be shown again.
void AutoPolicy::note_widened(View& view, Kind kind, const Candidates& jobs) const {
  for (const auto job : jobs.in_order(kind)) {
    const auto at = view.waits.find(job);
    if (at == view.waits.end() || !at->second.refused) continue;
    if (standings_.may_wait(job, kind, jobs) && at->second.waited < limit(view, job, kind, jobs)) continue;
    at->second.refused = false;
    view.widened = true;
  }
}

bool AutoPolicy::take_widened(Kind kind) {
  const auto at = views_.find(kind);
  return at != views_.end() && std::exchange(at->second.widened, false);
}

Choice AutoPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time now) {
  auto& view = look_at(slot, jobs, now);
  auto reason = DeclineReason::no_pending_task;
  for (const auto job : jobs.in_order(slot.kind)) {
    const auto nearest = jobs.nearest(job, slot.kind, slot.agent);
    if (!nearest) continue;
    auto& wait = view.waits[job];
    const auto waited = wait.waited;
    const bool takes = *nearest == Locality::node || !standings_.may_wait(job, slot.kind, jobs) ||
                       waited >= limit(view, job, slot.kind, jobs);
    if (takes) {
      launch(view, job, slot.kind, jobs, *nearest);
      return Take{job, *nearest, waited};
    }
    wait.skipped = true;
    wait.skipped_in = messages_;
    wait.refused = true;
    reason = DeclineReason::no_node_local;
  }
  return Pass{reason};
}

Duration AutoPolicy::hopeless(const View& view, std::int64_t running) const {
  if (hopeless_) return *hopeless_;
  const auto task = view.seen.task_time(running);
  return task ? std::min(*task / 2, kMostHopeless) : kFirstHopeless;
}

Duration AutoPolicy::limit(const View& view, JobId job, Kind kind, const Candidates& jobs) const {
  const auto with_data = jobs.preferred_agents(job, kind);
  const auto agents = std::max(view.seen.agents(), with_data);
  const auto skips = skips_for_chance(with_data, agents, locality_);
  if (!skips) return Duration::zero();
  const auto round = view.seen.time_for(agents);  // 1/r for each agent, and with_data / agents = p
  if (!round) return view.hopeless;
  const bool contended = standings_[kind].contended || jobs.in_order(kind).size() > 1;
  const auto ahead = contended ? 1 : std::max<std::int64_t>(1, jobs.unlaunched(job, kind) / 2);
  if (*round / with_data > view.hopeless / ahead) return Duration::zero();
  return std::max(*view.seen.time_for(*skips), view.hopeless);
}

/// Counts a launch, by the rule share-aware of `wait` for the node level.
void AutoPolicy::launch(View& view, JobId job, Kind kind, const Candidates& jobs, Locality locality) const {
  auto& wait = view.waits[job];
  view.seen.launched();
  const auto fair = standings_[kind].fair;
  if (half_its_share_is_near(wait.launches, job, kind, jobs, fair, locality) && locality == Locality::node) {
    wait.waited = Duration::zero();
    wait.skipped =
        wait.skipped_in == messages_;  // a slot that was let pass in this message starts the next wait
  }
}

std::optional<Time> AutoPolicy::next_level_change(Kind kind, const Candidates& jobs, Time now) const {
  std::optional<Time> next;
  const auto at = views_.find(kind);
  if (at == views_.end()) return next;
  const auto& view = at->second;
  for (const auto job : jobs.in_order(kind)) {
    const auto wait = view.waits.find(job);
    if (wait == view.waits.end() || !wait->second.skipped || !standings_.may_wait(job, kind, jobs)) continue;
    const auto left = limit(view, job, kind, jobs) - wait->second.waited;
    next = earlier(next, std::max(view.at + left, now));
  }
  return next;
}

Duration AutoPolicy::waited(JobId job, Kind kind, const Candidates& jobs, Time now) const {
  const auto at = views_.find(kind);
  if (at == views_.end() || !standings_.may_wait(job, kind, jobs)) return {};
  const auto wait = at->second.waits.find(job);
  if (wait == at->second.waits.end()) return {};
  return wait->second.waited + (wait->second.skipped ? now - at->second.at : Duration::zero());
}

void AutoPolicy::job_ended(JobId job) {
  for (auto& [kind, view] : views_) view.waits.erase(job);
}

}  // namespace proffer::policies
