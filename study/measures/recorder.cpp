#include "proffer/study/recorder.hpp"

#include <utility>

#include "proffer/formats/digest.hpp"
#include "proffer/study/plan_rules.hpp"
#include "study/measures/byte_counts.hpp"
#include "study/measures/job_measures.hpp"
#include "study/measures/job_rows.hpp"
#include "study/measures/job_shares.hpp"
#include "study/measures/offer_counts.hpp"
#include "study/measures/share_samples.hpp"
#include "study/measures/storage_counts.hpp"

namespace proffer::study {
namespace {

constexpr std::string_view kFramework = "framework ";

double to_seconds(Duration duration) { return static_cast<double>(duration.count()) * 1e-6; }

}  // namespace

struct Recorder::Impl {
  /// A task that has not ended, as the allocator knows it.
  struct Held {
    Kind kind;
    std::int64_t units = 0;
    double since = 0;
    bool away = false;  ///< its agent is silent: it runs nowhere
  };
  struct Offered {
    FrameworkId framework;
    Resources resources;
  };
  struct TaskKey {
    FrameworkId framework;
    TaskId task;
    auto operator<=>(const TaskKey&) const = default;
  };

  /// Frameworks by id and by name.
  struct FrameworkNames {
    std::map<FrameworkId, std::string> names;
    std::map<std::string, FrameworkId, std::less<>> ids;
  };
  /// Tasks of the whole run.
  struct Totals {
    std::uint64_t launched = 0;
    std::uint64_t unfinished = 0;  ///< ended without success
    double killed_work = 0;        ///< slot-seconds
  };

  Impl(const Plan& the_plan, Time the_start, RecorderOptions the_options)
      : plan(the_plan),
        start(the_start),
        options(the_options),
        offers(the_options.offers),
        shares(the_plan),
        bytes(the_plan),
        jobs(the_plan.workload) {}

  const Plan& plan;
  Time start;
  RecorderOptions options;
  Digest digest;
  OfferCounts offers;
  ShareSamples shares;
  StorageCounts storage;
  JobShares job_shares;
  ByteCounts bytes;
  std::map<AgentId, std::int64_t> map_slots;
  std::map<TaskKey, std::size_t> map_tasks;  // that have not ended, and their jobs
  Totals totals;
  double now = 0;
  JobRows jobs;
  std::vector<TaskRow> tasks;
  FrameworkNames frameworks;
  std::map<AgentId, std::pair<std::string, std::string>> agents;  // name, rack
  std::map<TaskKey, Held> held;
  std::map<TaskKey, std::size_t> open_tasks;  // rows
  std::map<OfferId, Offered> open_offers;

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

  void close_offer(OfferId offer);
  void task_left(const TaskKey& key);
  void task_returned(const TaskKey& key);
  void task_ended(const TaskKey& key, TaskState state);
  void took(OfferId offer);
  void refused(OfferId offer, std::optional<double> seconds);
  void count_map_slots();
  std::optional<std::size_t> job_of(std::string_view source, JobId id) const;
  void mark_uncounted(double end);
};

// ---- the allocator's lines ----

/// Agents say so as well, without their slots.
void Recorder::Impl::apply(std::string_view source, const AgentRegistered& trace) {
  if (source != "allocator") return;
  agents[trace.agent] = {trace.name, trace.rack};
  shares.agent(trace.agent, trace.slots);
  map_slots[trace.agent] = trace.slots[Kind("map")];
  count_map_slots();
}

void Recorder::Impl::count_map_slots() {
  std::int64_t slots = 0;
  for (const auto& [agent, units] : map_slots) slots += units;
  job_shares.capacity(slots);
}

void Recorder::Impl::apply(std::string_view source, const AgentLost& trace) {
  if (source != "allocator") return;
  shares.agent_lost(trace.agent);
  map_slots.erase(trace.agent);
  count_map_slots();
}

void Recorder::Impl::apply(std::string_view, const FrameworkSubscribed& trace) {
  frameworks.names[trace.framework] = trace.name;
  frameworks.ids[trace.name] = trace.framework;
  shares.framework(trace.framework, trace.name, trace.pool);
}

void Recorder::Impl::apply(std::string_view, const DemandChanged& trace) {
  shares.demand(trace.framework, trace.kind, trace.demand);
}

void Recorder::Impl::apply(std::string_view, const OfferMade& trace) {
  offers.made(trace, frameworks.names[trace.framework], agents[trace.agent].first, now);
  open_offers[trace.offer] = {trace.framework, trace.resources};
  for (const auto& [kind, units] : trace.resources) shares.offered(trace.framework, kind, units);
}

void Recorder::Impl::close_offer(OfferId offer) {
  const auto node = open_offers.extract(offer);
  if (node.empty()) return;
  const auto& [framework, resources] = node.mapped();
  for (const auto& [kind, units] : resources) shares.offered(framework, kind, -units);
}

void Recorder::Impl::took(OfferId offer) {
  const auto at = open_offers.find(offer);
  if (at == open_offers.end()) return;
  for (const auto& [kind, units] : at->second.resources) shares.took(at->second.framework, kind);
}

void Recorder::Impl::refused(OfferId offer, std::optional<double> seconds) {
  const auto at = open_offers.find(offer);
  if (at == open_offers.end()) return;
  for (const auto& [kind, units] : at->second.resources) shares.refused(at->second.framework, kind, seconds);
}

void Recorder::Impl::apply(std::string_view, const OfferAccepted& trace) {
  took(trace.offer);
  offers.accepted(trace.offer, now);
  close_offer(trace.offer);
}

void Recorder::Impl::apply(std::string_view, const OfferDeclined& trace) {
  const auto until_revive = trace.refuse_for_us < 0;
  if (is_own_choice(trace.reason)) {
    refused(trace.offer,
            until_revive ? std::nullopt : std::optional(to_seconds(Duration(trace.refuse_for_us))));
  } else {
    took(trace.offer);
  }
  offers.declined(trace.offer, trace.reason, now);
  close_offer(trace.offer);
}

void Recorder::Impl::apply(std::string_view, const OfferRescinded& trace) {
  offers.rescinded(trace.offer, now);
  close_offer(trace.offer);
}

void Recorder::Impl::apply(std::string_view, const OfferExpired& trace) {
  offers.expired(trace.offer, now);
  close_offer(trace.offer);
}

void Recorder::Impl::apply(std::string_view, const TaskLaunched& trace) {
  ++totals.launched;
  for (const auto& [kind, units] : trace.resources) {
    held[{trace.framework, trace.task}] = {kind, units, now};
    shares.running(trace.framework, kind, units);
  }
}

void Recorder::Impl::apply(std::string_view, const TaskChanged& trace) {
  const TaskKey key{trace.framework, trace.task};
  if (is_terminal(trace.state)) return task_ended(key, trace.state);
  trace.state == TaskState::unreachable ? task_left(key) : task_returned(key);
}

/// The slots of its agent count no more, and whether it still runs there nobody knows.
void Recorder::Impl::task_left(const TaskKey& key) {
  const auto at = held.find(key);
  if (at == held.end() || std::exchange(at->second.away, true)) return;
  shares.running(key.framework, at->second.kind, -at->second.units);
  if (const auto map = map_tasks.find(key); map != map_tasks.end()) job_shares.stopped(map->second);
  const auto row = open_tasks.find(key);
  if (row == open_tasks.end()) return;
  tasks[row->second].ended = now;
  tasks[row->second].state = to_string(TaskState::unreachable);
}

void Recorder::Impl::task_returned(const TaskKey& key) {
  const auto at = held.find(key);
  if (at == held.end() || !std::exchange(at->second.away, false)) return;
  shares.running(key.framework, at->second.kind, at->second.units);
  if (const auto map = map_tasks.find(key); map != map_tasks.end()) job_shares.launched(map->second);
  const auto row = open_tasks.find(key);
  if (row == open_tasks.end()) return;
  tasks[row->second].ended.reset();
  tasks[row->second].state.clear();
}

void Recorder::Impl::task_ended(const TaskKey& key, TaskState state) {
  const bool finished = state == TaskState::finished;
  const auto node = held.extract(key);
  const bool was_away = !node.empty() && node.mapped().away;
  if (!node.empty()) {
    const auto& was = node.mapped();
    if (!was_away) shares.running(key.framework, was.kind, -was.units);
    if (state == TaskState::killed) totals.killed_work += static_cast<double>(was.units) * (now - was.since);
  }
  if (!finished) ++totals.unfinished;
  if (const auto map = map_tasks.extract(key); !map.empty()) {
    if (!was_away) job_shares.stopped(map.mapped());
    if (finished) job_shares.finished(map.mapped());
    if (finished) bytes.map_finished(map.mapped());
  }
  const auto row = open_tasks.extract(key);
  if (row.empty()) return;
  auto& task = tasks[row.mapped()];
  if (finished || !was_away) task.ended = now;  // else it ended when it was missed
  task.state = to_string(state);
}

// ---- the frameworks' lines ----

std::optional<std::size_t> Recorder::Impl::job_of(std::string_view source, JobId id) const {
  if (!source.starts_with(kFramework)) return {};
  return jobs.find(source.substr(kFramework.size()), id);
}

void Recorder::Impl::apply(std::string_view source, const JobSubmitted& trace) {
  if (!source.starts_with(kFramework)) return;
  const auto number = jobs.submitted(source.substr(kFramework.size()), trace.job, trace.name);
  if (number) job_shares.submitted(*number, jobs[*number].maps);
}

void Recorder::Impl::apply(std::string_view source, const TaskPlaced& trace) {
  const auto number = job_of(source, trace.job);
  if (!number) return;
  auto& job = jobs[*number];
  if (!job.started) job.started = now;
  if (trace.kind == Kind("map")) {
    map_tasks[{frameworks.ids[job.framework], trace.task}] = *number;
    job_shares.launched(*number);
  }
  if (trace.preferred) {
    job.waited += to_seconds(trace.waited);
    ++(trace.locality == Locality::node   ? job.node_local
       : trace.locality == Locality::rack ? job.rack_local
                                          : job.other_local);
  }
  if (!options.tasks) return;
  const auto& [agent, rack] = agents[trace.agent];
  open_tasks[{frameworks.ids[job.framework], trace.task}] = tasks.size();
  tasks.push_back({job.framework,
                   job.name,
                   trace.task.value,
                   std::string(trace.kind.name()),
                   agent,
                   rack,
                   trace.locality,
                   trace.preferred,
                   now,
                   to_seconds(trace.waited),
                   {},
                   {}});
}

void Recorder::Impl::apply(std::string_view source, const JobFinished& trace) {
  const auto number = job_of(source, trace.job);
  if (!number) return;
  job_shares.over(*number);
  bytes.over(*number);
  jobs.finished(*number, now, trace.ok);
}

void Recorder::Impl::mark_uncounted(double end) {
  const auto from = to_seconds(plan.warm_up);
  const auto until = end - to_seconds(plan.drain);
  for (auto& job : jobs.all()) {
    const bool in_time = job.submitted >= from && (plan.drain == Duration::zero() || job.submitted < until);
    job.counted = in_time && (job.finished || job.started);
  }
}

// ---- the face ----

Recorder::Recorder(const Plan& plan, Time start, RecorderOptions options)
    : impl_(new Impl(plan, start, options)) {}
Recorder::~Recorder() = default;

void Recorder::line(Time time, std::uint64_t, std::string_view source, const Trace& trace) {
  auto& impl = *impl_;
  impl.now = to_seconds(time - impl.start);
  impl.digest.line(time, source, trace);
  impl.shares.until(impl.now);
  impl.job_shares.until(impl.now);
  std::visit([&](const auto& event) { impl.apply(source, event); }, trace);
}

RunResult Recorder::finish(Duration duration, const AloneTimes& alone) {
  auto& impl = *impl_;
  const auto end = to_seconds(duration);
  impl.shares.until(end);
  impl.mark_uncounted(end);
  for (auto& job : impl.jobs.all()) {
    if (const auto known = alone.find(job.name); known != alone.end()) job.alone = known->second;
  }
  RunResult result;
  result.experiment = impl.plan.experiment;
  result.cell = impl.plan.cell;
  result.seed = impl.plan.seed;
  result.digest = impl.digest.hex();
  result.run_seconds = end;
  measure_jobs(impl.jobs.all(), impl.bytes.map_bytes(), result.measures);
  impl.bytes.measure(end, result.measures);
  impl.job_shares.measure(result.measures);
  result.measures["killed_work"] = impl.totals.killed_work;
  impl.offers.measure(impl.totals.launched, result.measures);
  impl.shares.measure(result.measures);
  impl.storage.measure(end, result.measures);
  result.measures["tasks_launched"] = static_cast<double>(impl.totals.launched);
  result.measures["tasks_unfinished"] = static_cast<double>(impl.totals.unfinished);
  if (end > 0) result.measures["tasks_per_second"] = static_cast<double>(impl.totals.launched) / end;
  result.jobs = std::move(impl.jobs.all());
  result.tasks = std::move(impl.tasks);
  result.offers = impl.offers.take_rows();
  result.shares = impl.shares.rows();
  return result;
}

}  // namespace proffer::study
