#include "proffer/study/recorder.hpp"

#include <utility>

#include "proffer/formats/digest.hpp"
#include "proffer/study/ledger.hpp"
#include "study/measures/byte_counts.hpp"
#include "study/measures/job_measures.hpp"
#include "study/measures/job_rows.hpp"
#include "study/measures/job_shares.hpp"
#include "study/measures/lost_work.hpp"
#include "study/measures/offer_counts.hpp"
#include "study/measures/seconds.hpp"
#include "study/measures/share_samples.hpp"
#include "study/measures/storage_counts.hpp"
#include "study/measures/task_rows.hpp"

namespace proffer::study {

struct Recorder::Impl {
  Impl(const Plan& the_plan, Time the_start, RecorderOptions the_options)
      : plan(the_plan),
        start(the_start),
        options(the_options),
        offers(the_options.offers),
        shares(the_plan, ledger),
        bytes(the_plan),
        jobs(the_plan) {}

  const Plan& plan;
  Time start;
  RecorderOptions options;
  Time time{};     // of the line
  double now = 0;  // the same in seconds after the start
  Digest digest;
  /// The lines of acceptances and of what they leave are of one turn: between them there is nothing to
  /// measure.
  Ledger ledger{Ledger::Rest::closed};
  OfferCounts offers;
  ShareSamples shares;
  StorageCounts storage;
  JobShares job_shares;
  ByteCounts bytes;
  JobRows jobs;
  TaskRows tasks;
  std::map<FrameworkTask, std::size_t> map_tasks;  // that have not ended, and their jobs
  std::map<std::string, FrameworkId, std::less<>> framework_ids;
  std::uint64_t launched = 0;
  std::uint64_t killed = 0;
  LostWork lost_work;
  std::uint64_t allocator_line = 0;  // the number of its newest line

  void apply(std::string_view source, const AgentRegistered& trace);
  void apply(std::string_view source, const AgentLost& trace);
  void apply(std::string_view source, const FrameworkSubscribed& trace);
  void apply(std::string_view source, const DemandChanged& trace);
  void apply(std::string_view source, const OfferMade& trace);
  void apply(std::string_view source, const OfferAccepted& trace);
  void apply(std::string_view source, const OfferDeclined& trace);
  void apply(std::string_view source, const OfferRescinded& trace);
  void apply(std::string_view source, const OfferExpired& trace);
  void apply(std::string_view source, const TaskLaunched& trace);
  void apply(std::string_view source, const TaskChanged& trace);
  void apply(std::string_view source, const JobSubmitted& trace);
  void apply(std::string_view source, const TaskPlaced& trace);
  void apply(std::string_view source, const JobFinished& trace);
  void apply(std::string_view, const StorageCounted& trace) { storage.counted(trace, now); }
  void apply(std::string_view, const CopyEnded& trace) { storage.copy_ended(trace); }
  void apply(std::string_view, const DropDecided&) { storage.dropped(); }
  template <class Other>
  void apply(std::string_view, const Other&) {}

  /// Enters a line into the ledger. Handlers do so last: until then the ledger tells how things were before
  /// it.
  template <class Line>
  void enter(const Line& line) {
    for (const auto& change : ledger.apply(line, time)) shares.changed(change);
  }
  void count_slots();
  void restart();
  void task_left(const FrameworkTask& key);
  void task_returned(const FrameworkTask& key);
  void task_ended(const FrameworkTask& key, TaskState state);
  double slot_seconds(const HeldTask& held) const;
};

// ---- the allocator's lines ----

/// The allocator began anew: nothing is on offer, wanted or known to run until it says so.
void Recorder::Impl::restart() {
  for (const auto& [id, offer] : ledger.offers()) offers.rescinded(id, now);
  const auto before = ledger.frameworks();
  for (const auto& change : ledger.restart()) shares.changed(change);
  for (const auto& [id, framework] : before) {
    for (const auto& [kind, demand] : framework.demand) shares.demand(id, kind, demand);
  }
  count_slots();
}

/// Agents write this line as well, without their slots.
void Recorder::Impl::apply(std::string_view source, const AgentRegistered& trace) {
  if (source != "allocator") return;
  enter(trace);
  count_slots();
}

void Recorder::Impl::apply(std::string_view source, const AgentLost& trace) {
  if (source != "allocator") return;
  enter(trace);
  count_slots();
}

void Recorder::Impl::count_slots() {
  shares.capacity();
  const auto maps = ledger.capacity().find(Kind("map"));
  job_shares.capacity(maps == ledger.capacity().end() ? 0 : maps->second);
}

void Recorder::Impl::apply(std::string_view, const FrameworkSubscribed& trace) {
  framework_ids[trace.name] = trace.framework;
  shares.framework(trace.framework, trace.name, trace.pool);
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const DemandChanged& trace) {
  const auto before = ledger.framework(trace.framework).demands(trace.kind);
  enter(trace);
  shares.demand(trace.framework, trace.kind, before);
}

void Recorder::Impl::apply(std::string_view, const OfferMade& trace) {
  const auto* agent = ledger.agent(trace.agent);
  offers.made(trace, ledger.framework(trace.framework).name, agent == nullptr ? "" : agent->name, now);
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const OfferAccepted& trace) {
  if (const auto* offer = ledger.offer(trace.offer)) shares.took(*offer);
  offers.accepted(trace.offer, now);
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const OfferDeclined& trace) {
  const auto* offer = ledger.offer(trace.offer);
  if (offer != nullptr && is_own_choice(trace.reason)) {
    const bool until_revive = trace.refuse_for_us < 0;
    shares.refused(*offer,
                   until_revive ? std::nullopt : std::optional(to_seconds(Duration(trace.refuse_for_us))));
  } else if (offer != nullptr) {
    shares.took(*offer);
  }
  offers.declined(trace.offer, trace.reason, now);
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const OfferRescinded& trace) {
  offers.rescinded(trace.offer, now);
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const OfferExpired& trace) {
  offers.expired(trace.offer, now);
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const TaskLaunched& trace) {
  ++launched;
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const TaskChanged& trace) {
  const FrameworkTask key{trace.framework, trace.task};
  if (is_terminal(trace.state)) {
    if (const auto* held = ledger.task(key)) lost_work.ended(key, trace, slot_seconds(*held));
    task_ended(key, trace.state);
  } else if (trace.state == TaskState::unreachable) {
    task_left(key);
  } else {
    task_returned(key);
  }
  enter(trace);
}

double Recorder::Impl::slot_seconds(const HeldTask& held) const {
  return static_cast<double>(held.units) * (now - to_seconds(held.since - start));
}

/// The slots of the task's agent count no more, and whether the task still runs there nobody knows.
void Recorder::Impl::task_left(const FrameworkTask& key) {
  const auto* held = ledger.task(key);
  if (held == nullptr || held->away) return;
  if (const auto map = map_tasks.find(key); map != map_tasks.end()) job_shares.stopped(map->second);
  lost_work.missed(key, slot_seconds(*held));
  tasks.missed(key, now);
}

void Recorder::Impl::task_returned(const FrameworkTask& key) {
  const auto* held = ledger.task(key);
  if (held == nullptr || !held->away) return;
  if (const auto map = map_tasks.find(key); map != map_tasks.end()) job_shares.launched(map->second);
  lost_work.returned(key);
  tasks.returned(key);
}

void Recorder::Impl::task_ended(const FrameworkTask& key, TaskState state) {
  const bool finished = state == TaskState::finished;
  const auto* held = ledger.task(key);
  const bool was_away = held != nullptr && held->away;
  if (!finished) ++killed;
  if (const auto map = map_tasks.extract(key); !map.empty()) {
    if (!was_away) job_shares.stopped(map.mapped());
    if (finished) job_shares.finished(map.mapped());
    if (finished) bytes.map_finished(map.mapped());
  }
  tasks.ended(key, state, was_away, now);
}

// ---- the frameworks' lines ----

void Recorder::Impl::apply(std::string_view source, const JobSubmitted& trace) {
  if (const auto job = jobs.submitted(source, trace)) job_shares.submitted(*job, jobs[*job].maps);
}

void Recorder::Impl::apply(std::string_view source, const TaskPlaced& trace) {
  const auto number = jobs.find(source, trace.job);
  if (!number) return;
  jobs.placed(*number, trace, now);
  const auto& job = jobs[*number];
  const FrameworkTask key{framework_ids[job.framework], trace.task};
  if (trace.kind == Kind("map")) {
    map_tasks[key] = *number;
    job_shares.launched(*number);
  }
  if (!options.tasks) return;
  const auto* agent = ledger.agent(trace.agent);
  tasks.placed(key, {job.framework,
                     job.name,
                     trace.task.value,
                     std::string(trace.kind.name()),
                     agent == nullptr ? "" : agent->name,
                     agent == nullptr ? "" : agent->rack,
                     trace.locality,
                     trace.preferred,
                     now,
                     to_seconds(trace.waited),
                     {},
                     {}});
}

void Recorder::Impl::apply(std::string_view source, const JobFinished& trace) {
  const auto number = jobs.find(source, trace.job);
  if (!number) return;
  job_shares.over(*number);
  bytes.over(*number);
  jobs.finished(*number, trace, now);
}

// ---- the face ----

Recorder::Recorder(const Plan& plan, Time start, RecorderOptions options)
    : impl_(new Impl(plan, start, options)) {}
Recorder::~Recorder() = default;

void Recorder::line(Time time, std::uint64_t seq, std::string_view source, const Trace& trace) {
  auto& impl = *impl_;
  impl.time = time;
  impl.now = to_seconds(time - impl.start);
  impl.digest.line(time, source, trace);
  // Samples are taken up to the line's time before the line changes anything: until then things were as they
  // are.
  impl.shares.until(impl.now);
  impl.job_shares.until(impl.now);
  if (source == "allocator") {
    // Lines are numbered anew, from 0 or 1, in each life of a process.
    const auto last = std::exchange(impl.allocator_line, seq);
    if (seq <= 1 && seq < last) impl.restart();
  }
  std::visit([&](const auto& event) { impl.apply(source, event); }, trace);
}

RunResult Recorder::finish(Duration duration, const AloneTimes& alone) {
  auto& impl = *impl_;
  const auto end = to_seconds(duration);
  impl.shares.until(end);
  RunResult result;
  result.experiment = impl.plan.experiment;
  result.cell = impl.plan.cell;
  result.seed = impl.plan.seed;
  result.digest = impl.digest.hex();
  result.run_seconds = end;
  result.jobs = impl.jobs.finish(end, alone);
  measure_jobs(result.jobs, impl.bytes.map_bytes(), result.measures);
  impl.bytes.measure(end, result.measures);
  impl.job_shares.measure(result.measures);
  result.measures["killed_work"] = impl.lost_work.killed();
  result.measures["lost_work"] = impl.lost_work.lost();
  impl.offers.measure(impl.launched, result.measures);
  impl.shares.measure(result.measures);
  impl.storage.measure(end, result.measures);
  result.measures["tasks_launched"] = static_cast<double>(impl.launched);
  result.measures["tasks_unfinished"] = static_cast<double>(impl.killed);
  if (end > 0) result.measures["tasks_per_second"] = static_cast<double>(impl.launched) / end;
  result.tasks = impl.tasks.take();
  result.offers = impl.offers.take_rows();
  result.shares = impl.shares.rows();
  return result;
}

}  // namespace proffer::study
