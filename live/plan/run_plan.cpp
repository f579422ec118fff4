#include "proffer/live/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "live/plan/machine_watch.hpp"
#include "live/plan/outages.hpp"
#include "live/plan/plan_cluster.hpp"
#include "live/plan/replay.hpp"
#include "live/plan/tenants.hpp"
#include "live/plan/timetable.hpp"
#include "proffer/live/port.hpp"
#include "proffer/study/placement.hpp"
#include "proffer/study/plan_rules.hpp"
#include "proffer/study/scaled.hpp"

namespace proffer::live {
namespace {

constexpr Duration kLookAround =
    std::chrono::seconds(1);  // the period of looks for daemons that have ended, and of progress

std::vector<StoredFile> stored_files(const study::Plan& plan, const study::BlockPlaces& places) {
  std::vector<StoredFile> files;
  for (std::size_t f = 0; f < places.size(); ++f) {
    const auto& described = plan.workload.files[f];
    auto& file =
        files.emplace_back(StoredFile{.path = described.path, .replication = plan.replication, .blocks = {}});
    for (std::size_t b = 0; b < places[f].size(); ++b) {
      file.blocks.push_back({described.blocks[b].bytes, places[f][b]});
    }
  }
  return files;
}

/// A plan without heartbeats means that nothing is lost; here they are what finds out.
AllocatorConfig with_heartbeats(AllocatorConfig config) {
  if (config.heartbeat > Duration::zero()) return config;
  const AllocatorConfig usual;
  config.heartbeat = usual.heartbeat;
  config.suspect_after = usual.suspect_after;
  config.disconnected_after = usual.disconnected_after;
  config.unreachable_after = usual.unreachable_after;
  return config;
}

/// Fails when the disk has no room for the outputs of maps, which stay until their jobs are over.
Result<> check_room(const study::Plan& plan, const std::string& dir) {
  std::uint64_t bytes = 0;
  for (const auto& job : plan.workload.jobs) {
    for (const auto& map : job.maps) bytes += map.output_bytes;
  }
  std::error_code failed;
  const auto space = std::filesystem::space(dir, failed);
  if (failed || bytes <= space.available / 2) return {};
  return Error{
      ErrorCode::invalid,
      fmt::format("the maps leave {:.1f} GB in all, and below {} there are {:.1f} GB; make the run "
                  "smaller with time_scale",
                  static_cast<double>(bytes) / 1e9, dir, static_cast<double>(space.available) / 1e9)};
}

/// Returns the bytes per second that a node sends; none: as many as it can.
std::optional<std::uint64_t> uplink_of(const study::Plan& plan, const study::PlanNode& node) {
  const auto& cost = plan.cost;
  const auto nic = node.nic_rate.value_or(cost.nic_rate);
  auto rate = cost.remote_rate > 0 ? cost.remote_rate : nic;
  // A card of its own that is slower than the limit of remote reads binds before it does.
  if (node.nic_rate && nic > 0) rate = std::min(rate, nic);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

Result<LocalClusterConfig> cluster_of(const study::Plan& plan, const LiveOptions& options) {
  const auto places = study::place_blocks(plan);
  if (!places) return places.error();
  LocalClusterConfig config;
  config.proffer_path = options.proffer_path;
  config.dir = options.dir + "/cluster";
  for (const auto& node : plan.nodes) {
    config.agents.push_back({node.name, node.rack, node.slots, node.max_computing, uplink_of(plan, node)});
  }
  config.synthetic_waits = true;
  config.files = stored_files(plan, *places);
  config.all_event_logs = true;
  config.allocator = with_heartbeats(plan.allocator);
  config.replication = plan.hot_blocks;
  return config;
}

/// A run of a plan that goes on.
class Conduct {
 public:
  Conduct(const study::Plan& plan, const LiveOptions& options, PlanCluster& cluster, Tenants& tenants)
      : plan_(plan), options_(options), cluster_(cluster), tenants_(tenants) {}

  /// Runs the plan to the last job's end, or the horizon.
  Result<> run(const Stop& stop) {
    Timetable timetable(plan_.workload, start_);
    Outages outages(plan_, cluster_, start_);
    const auto end = start_ + plan_.horizon;
    while (!timetable.all_ended() && steady_now() < end) {
      if (stop.requested()) return Error{ErrorCode::refused, "stopped"};
      if (auto sound = cluster_.check(); !sound) return sound;
      if (auto done = outages.carry_out(steady_now()); !done) return done;
      for (const auto job : timetable.take_due(steady_now())) {
        if (auto submitted = tenants_.submit(job); !submitted) return submitted;
      }
      const auto now = steady_now();
      tenants_.wait(stop, std::min({timetable.next().value_or(end), outages.next().value_or(end), end,
                                    now + kLookAround}) -
                              now);
      if (auto taken = take_ends(timetable); !taken) return taken;
      if (options_.progress) options_.progress(steady_now() - start_, timetable.ended_count());
    }
    outcome_.jobs_ended = timetable.ended_count();
    // What is still down or stopped could not end in good order.
    return outages.end();
  }

  Time start() const { return start_; }
  LiveRun& outcome() { return outcome_; }

 private:
  Result<> take_ends(Timetable& timetable) {
    const auto ends = tenants_.take_ends();
    if (!ends) return ends.error();
    for (const auto& end : *ends) {
      timetable.ended(end.job, steady_now());
      if (!end.why.empty())
        outcome_.jobs_failed.push_back(plan_.workload.jobs.at(end.job).name + ":" + end.why);
    }
    return {};
  }

  const study::Plan& plan_;
  const LiveOptions& options_;
  PlanCluster& cluster_;
  Tenants& tenants_;
  const Time start_ = steady_now();
  LiveRun outcome_;
};

/// Returns whether the workload may end with that trace.
bool ends_work(const Trace& trace) {
  if (std::holds_alternative<JobFinished>(trace)) return true;
  const auto* changed = std::get_if<TaskChanged>(&trace);
  return changed != nullptr && is_terminal(changed->state);
}

/// Hands the sink all lines up to the end, which is the horizon unless all jobs came to theirs.
Result<> report(const std::vector<std::string>& logs, const PlanClock& clock, const study::Plan& plan,
                study::TraceSink& sink, LiveRun& outcome) {
  auto lines = merged_lines(logs);
  if (!lines) return lines.error();
  auto end = kPlanStart + plan.horizon;
  if (outcome.jobs_ended == plan.workload.jobs.size()) {
    const auto last = std::find_if(lines->rbegin(), lines->rend(),
                                   [](const TraceLine& line) { return ends_work(line.trace); });
    if (last != lines->rend()) end = clock.time(last->time);
  }
  for (auto& line : *lines) {
    clock.convert(line);
    if (line.time > end) break;
    sink.line(line.time, line.seq, line.source, line.trace);
    ++outcome.lines;
  }
  outcome.duration = end - kPlanStart;
  return {};
}

}  // namespace

Result<LiveRun> run_plan(const study::Plan& plan, study::TraceSink& sink, const LiveOptions& options,
                         Stop& stop) {
  if (auto checked = study::check_plan(plan); !checked) return checked.error();
  const auto& machines = options.machines;
  if (auto checked = check_live(plan, machines ? machines->all.size() : 1); !checked) return checked.error();
  const auto small = study::scaled(plan, options.time_scale);
  if (!machines) {
    if (auto checked = check_room(small, options.dir); !checked) return checked.error();
  }
  auto config = cluster_of(small, options);
  if (!config) return config.error();
  auto cluster = PlanCluster::start(std::move(*config), machines, options.version);
  if (!cluster) return cluster.error();
  auto tenants = Tenants::start(small, **cluster, options);
  if (!tenants) return tenants.error();
  const auto watch = MachineWatch::begin(**cluster);
  if (!watch) return watch.error();
  Conduct conduct(small, options, **cluster, *tenants);
  if (auto ran = conduct.run(stop); !ran) return ran.error();
  auto watched = watch->end(**cluster, machines ? 0 : plan.nodes.size());
  if (!watched) return watched.error();
  conduct.outcome().machines = std::move(*watched);
  if (auto dismissed = tenants->dismiss(); !dismissed) return dismissed.error();
  auto logs = tenants->event_logs();
  for (auto& log : (*cluster)->event_logs()) logs.push_back(std::move(log));
  if (auto stopped = (*cluster)->stop(); !stopped) return stopped.error();
  const PlanClock clock(conduct.start(), kPlanStart, options.time_scale);
  if (auto told = report(logs, clock, plan, sink, conduct.outcome()); !told) return told.error();
  return std::move(conduct.outcome());
}

}  // namespace proffer::live
