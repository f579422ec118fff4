#include "proffer/study/recorder.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "proffer/bulk.hpp"
#include "proffer/formats/digest.hpp"
#include "proffer/study/ledger.hpp"
#include "study/measures/backup_counts.hpp"
#include "study/measures/byte_counts.hpp"
#include "study/measures/job_measures.hpp"
#include "study/measures/job_rows.hpp"
#include "study/measures/job_shares.hpp"
#include "study/measures/lost_work.hpp"
#include "study/measures/offer_counts.hpp"
#include "study/measures/seconds.hpp"
#include "study/measures/share_measures.hpp"
#include "study/measures/start_up.hpp"
#include "study/measures/storage_counts.hpp"
#include "study/measures/task_rows.hpp"
#include "study/measures/tenant_measures.hpp"

namespace proffer::study {

struct Recorder::Impl {
  Impl(const Plan& the_plan, Time the_start, RecorderOptions the_options)
      : plan(the_plan),
        start(the_start),
        options(the_options),
        offers(the_options.offers),
        shares(the_plan),
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
  ShareMeasures shares;
  StorageCounts storage;
  JobShares job_shares;
  ByteCounts bytes;
  JobRows jobs;
  TaskRows tasks;
  TenantMeasures tenants;
  std::map<FrameworkTask, std::size_t> map_tasks;  // that have not ended, and their jobs
  std::map<std::string, FrameworkId, std::less<>> framework_ids;
  struct TaskCounts {
    std::uint64_t launched = 0;
    std::uint64_t unfinished = 0;
    LostWork lost_work;
    BackupCounts backups;

    void begin() {
      launched = unfinished = 0;
      lost_work.begin();
      backups.begin();
    }
  };
  TaskCounts counts;
  std::uint64_t allocator_line = 0;  // the number of its newest line

  struct Waiting {
    Time time{};
    std::uint64_t seq = 0;
    std::string source;
    Trace trace;
  };
  /// The part of the run that is measured. With a drain, what a line says is measured once so much time has
  /// passed after it: where the drain begins is known at the end only.
  struct Window {
    bool warm = false;  // true: the warm-up is over
    std::deque<Waiting> waiting;
  };
  Window window;

  void take(const Waiting& line) { take(line.time, line.seq, line.source, line.trace); }
  void take(Time at, std::uint64_t seq, std::string_view source, const Trace& trace);
  void begin();
  void measure(double end, std::map<std::string, double>& measures);
  void measure_offers(std::map<std::string, double>& measures);

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
  void apply(std::string_view source, const TaskQueued& trace);
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
    for (const auto& [kind, demand] : framework.demand)
      shares.demand(id, kind, ledger.framework(id).demands(kind));
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
  shares.capacity(ledger.capacity());
  const auto maps = ledger.capacity().find(Kind("map"));
  job_shares.capacity(maps == ledger.capacity().end() ? 0 : maps->second, now);
}

void Recorder::Impl::apply(std::string_view, const FrameworkSubscribed& trace) {
  framework_ids[trace.name] = trace.framework;
  shares.framework(trace.framework, trace.name, trace.pool);
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const DemandChanged& trace) {
  enter(trace);
  shares.demand(trace.framework, trace.kind, ledger.framework(trace.framework).demands(trace.kind));
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
  offers.declined(trace, now);
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
  ++counts.launched;
  counts.backups.launched({trace.framework, trace.task});
  enter(trace);
}

void Recorder::Impl::apply(std::string_view, const TaskChanged& trace) {
  const FrameworkTask key{trace.framework, trace.task};
  if (is_terminal(trace.state)) {
    if (const auto* held = ledger.task(key)) {
      const auto ran = slot_seconds(*held);
      counts.lost_work.ended(key, trace, ran);
      counts.backups.ended(key, trace.state == TaskState::finished, ran);
    }
    task_ended(key, trace.state);
  } else if (trace.state == TaskState::unreachable) {
    task_left(key);
  } else {
    task_returned(key);
  }
  enter(trace);
}

/// A task that takes bulk resources counts as one slot.
double Recorder::Impl::slot_seconds(const HeldTask& held) const {
  std::int64_t slots = 0;
  for (const auto& [kind, units] : held.resources) slots += is_bulk(kind) ? 0 : units;
  return static_cast<double>(std::max<std::int64_t>(slots, 1)) * (now - to_seconds(held.since - start));
}

/// The slots of the task's agent count no more, and whether the task still runs there nobody knows.
void Recorder::Impl::task_left(const FrameworkTask& key) {
  const auto* held = ledger.task(key);
  if (held == nullptr || held->away) return;
  if (const auto map = map_tasks.find(key); map != map_tasks.end()) job_shares.stopped(map->second, now);
  counts.lost_work.missed(key, slot_seconds(*held));
  tasks.missed(key, now);
}

void Recorder::Impl::task_returned(const FrameworkTask& key) {
  const auto* held = ledger.task(key);
  if (held == nullptr || !held->away) return;
  if (const auto map = map_tasks.find(key); map != map_tasks.end()) job_shares.launched(map->second, now);
  counts.lost_work.returned(key);
  tasks.returned(key);
}

void Recorder::Impl::task_ended(const FrameworkTask& key, TaskState state) {
  const bool finished = state == TaskState::finished;
  const auto* held = ledger.task(key);
  const bool was_away = held != nullptr && held->away;
  if (!finished) ++counts.unfinished;
  if (const auto map = map_tasks.extract(key); !map.empty()) {
    if (!was_away) job_shares.stopped(map.mapped(), now);
    if (finished) job_shares.finished(map.mapped(), now);
    if (finished) bytes.map_finished(map.mapped());
  }
  tasks.ended(key, state, was_away, now);
}

// ---- the frameworks' lines ----

void Recorder::Impl::apply(std::string_view source, const JobSubmitted& trace) {
  if (const auto job = jobs.submitted(source, trace)) job_shares.submitted(*job, jobs[*job].maps, now);
}

void Recorder::Impl::apply(std::string_view source, const TaskQueued& trace) {
  constexpr std::string_view kFramework = "framework ";
  if (trace.backs_up.value.empty() || !source.starts_with(kFramework)) return;
  const auto framework = framework_ids.find(source.substr(kFramework.size()));
  if (framework == framework_ids.end()) return;
  counts.backups.queued({framework->second, trace.task}, {framework->second, trace.backs_up});
}

void Recorder::Impl::apply(std::string_view source, const TaskPlaced& trace) {
  const auto number = jobs.find(source, trace.job);
  if (!number) return;
  jobs.placed(*number, trace, now);
  const auto& job = jobs[*number];
  const FrameworkTask key{framework_ids[job.framework], trace.task};
  if (trace.kind == Kind("map") || trace.kind == kCpus) {
    map_tasks[key] = *number;
    job_shares.launched(*number, now);
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
  job_shares.over(*number, now);
  bytes.over(*number);
  jobs.finished(*number, trace, now);
}

// ---- the part of the run that is measured ----

void Recorder::Impl::take(Time at, std::uint64_t seq, std::string_view source, const Trace& trace) {
  time = at;
  now = to_seconds(at - start);
  if (!window.warm && now >= to_seconds(plan.warm_up)) begin();
  shares.until(now);
  if (source == "allocator") {
    // Lines are numbered anew, from 0 or 1, in each life of a process.
    const auto last = std::exchange(allocator_line, seq);
    if (seq <= 1 && seq < last) restart();
  }
  std::visit([&](const auto& event) { apply(source, event); }, trace);
}

void Recorder::Impl::begin() {
  window.warm = true;
  const auto from = to_seconds(plan.warm_up);
  if (from <= 0) return;
  counts.begin();
  offers.begin();
  bytes.begin();
  storage.begin(from);
  shares.begin(from);
  job_shares.begin(from);
}

void Recorder::Impl::measure(double end, std::map<std::string, double>& measures) {
  if (!window.warm) begin();
  const auto seconds = end - to_seconds(plan.warm_up);
  bytes.measure(seconds, measures);
  job_shares.measure(end, measures);
  measure_offers(measures);
  shares.measure(end, measures, tenants);
  storage.measure(end, measures);
  measures["killed_work"] = counts.lost_work.killed();
  measures["lost_work"] = counts.lost_work.lost();
  const auto speculates = [](const PlanFramework& framework) { return framework.speculation.on; };
  if (std::any_of(plan.frameworks.begin(), plan.frameworks.end(), speculates)) {
    counts.backups.measure(measures);
  }
  measures["tasks_launched"] = static_cast<double>(counts.launched);
  measures["tasks_unfinished"] = static_cast<double>(counts.unfinished);
  if (seconds > 0) measures["tasks_per_second"] = static_cast<double>(counts.launched) / seconds;
}

void Recorder::Impl::measure_offers(std::map<std::string, double>& measures) {
  const auto all = offers.all();
  all.measure(measures);
  if (counts.launched > 0) {
    measures["offers_per_task"] = static_cast<double>(all.offers()) / static_cast<double>(counts.launched);
  }
  std::map<std::pair<std::string_view, std::string>, OfferTally> sums;
  for (const auto& [id, tally] : offers.by_framework()) {
    const auto& name = ledger.framework(id).name;
    sums[{"framework", name}] += tally;
    if (const auto& pool = shares.pool_of(id); !pool.empty()) sums[{"pool", pool}] += tally;
  }
  for (const auto& [key, tally] : sums) tally.measure(tenants.of(key.first, key.second));
}

// ---- the face ----

Recorder::Recorder(const Plan& plan, Time start, RecorderOptions options)
    : impl_(new Impl(plan, start, options)) {}
Recorder::~Recorder() = default;

void Recorder::line(Time time, std::uint64_t seq, std::string_view source, const Trace& trace) {
  auto& impl = *impl_;
  impl.digest.line(time, source, trace);
  const auto drain = impl.plan.drain;
  if (drain == Duration::zero()) return impl.take(time, seq, source, trace);
  impl.window.waiting.push_back({time, seq, std::string(source), trace});
  for (auto& lines = impl.window.waiting; lines.front().time + drain < time; lines.pop_front()) {
    impl.take(lines.front());
  }
}

RunResult Recorder::finish(Duration duration, const AloneTimes& alone) {
  auto& impl = *impl_;
  const auto end = to_seconds(duration);
  const auto until = end - to_seconds(impl.plan.drain);
  RunResult result;
  const auto take_next = [&] {
    impl.take(impl.window.waiting.front());
    impl.window.waiting.pop_front();
  };
  while (!impl.window.waiting.empty() && to_seconds(impl.window.waiting.front().time - impl.start) < until)
    take_next();
  impl.shares.until(until);
  impl.measure(until, result.measures);
  while (!impl.window.waiting.empty()) take_next();
  impl.shares.until(end);
  result.experiment = impl.plan.experiment;
  result.cell = impl.plan.cell;
  result.seed = impl.plan.seed;
  result.digest = impl.digest.hex();
  result.run_seconds = end;
  result.window = {to_seconds(impl.plan.warm_up), until};
  result.jobs = impl.jobs.finish(end, alone);
  measure_jobs(impl.plan, result.jobs, result.measures, impl.tenants);
  impl.tenants.name_in(result.measures);
  result.tenants = impl.tenants.rows();
  result.tasks = impl.tasks.take();
  result.offers = impl.offers.take_rows();
  result.shares = impl.shares.samples().rows();
  measure_start_up(result.jobs, impl.shares.samples(), result.measures);
  return result;
}

}  // namespace proffer::study
