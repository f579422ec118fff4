#include "sim/runs.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::sim {
namespace {

constexpr std::int64_t kMilli = 1000;

Duration at_rate(std::uint64_t bytes, std::uint64_t rate) {
  if (rate == 0 || bytes == 0) return {};
  return Duration(static_cast<std::int64_t>((static_cast<double>(bytes) / static_cast<double>(rate)) * 1e6));
}

ResultPtr result_of(const SyntheticWork& work, std::uint64_t local, std::uint64_t remote) {
  if (work.map) {
    MapResult result;
    result.local_bytes = local;
    result.remote_bytes = remote;
    result.output_bytes = work.output_bytes;
    return std::make_shared<const TaskResult>(std::move(result));
  }
  ReduceResult result;
  result.local_bytes = local;
  result.remote_bytes = remote;
  result.output_bytes = work.output_bytes;
  return std::make_shared<const TaskResult>(std::move(result));
}

/// Returns the maps whose outputs a reduce still needs, on nodes that do not reach it.
std::vector<TaskId> missing_outputs(const Run& run, const Nodes& nodes) {
  std::vector<TaskId> missing;
  for (auto i = run.copied; i < run.inputs.size(); ++i) {
    const auto agent = nodes.find(run.inputs[i].agent);
    if (agent && !nodes.reaches(*agent, run.agent)) missing.push_back(run.inputs[i].map);
  }
  return missing;
}

/// Returns whether no node that holds some block of the run's input reaches the run.
bool lacks_a_block(const Run& run, const Nodes& nodes) {
  const auto& blocks = run.work().blocks;
  return std::any_of(blocks.begin(), blocks.end(), [&](const BlockRead& block) {
    return !block.replicas.empty() && !nodes.source_of(run.agent, block);
  });
}

}  // namespace

Runs::Runs(const study::Plan& plan, EventQueue& queue, Around around, NotifyAgent notify)
    : plan_(plan), queue_(queue), around_(around), notify_(std::move(notify)) {}

void Runs::start(AgentNo agent, const StartRun& start, Time now) {
  notify_(agent, RunStarted{start.launch});
  if (!start.task.work || !std::holds_alternative<SyntheticWork>(*start.task.work)) {
    return notify_(agent, RunExited{start.launch, {127, 0}, {}, "only synthetic work can be simulated"});
  }
  const auto number = runs_.open(agent, start);
  auto& run = runs_[number];
  run.until = now + plan_.cost.start_up;
  queue_.push(run.until, What::run_phase, number, run.version);
}

void Runs::each_slot(Kind kind, Time until, const std::function<void(AgentId, Time)>& visit) const {
  const auto& nodes = around_.nodes;
  std::vector<std::int64_t> used(nodes.count());
  for (const auto& run : runs_.all()) {
    if (!run.live || run.kind != kind) continue;
    ++used[run.agent];
    if (const auto at = released_at(run); at && *at <= until) visit(nodes.id_of(run.agent), *at);
  }
  for (AgentNo agent = 0; agent < nodes.count(); ++agent) {
    if (nodes.is_down(agent)) continue;
    for (auto n = used[agent]; n < plan_.nodes[agent].slots[kind]; ++n) visit(nodes.id_of(agent), Time{});
  }
}

/// Returns when the run will be over at present rates; none for reduces that wait for maps.
std::optional<Time> Runs::released_at(const Run& run) const {
  const auto writing = at_rate(run.work().output_bytes, plan_.cost.write_rate);
  switch (run.phase) {
    case Run::Phase::starting:
      return run.until + compute_time(run, true, true) + writing;
    case Run::Phase::writing:
      return run.until;
    case Run::Phase::working:
      break;
  }
  if (!run.complete) return {};
  auto at = run.computing ? run.until : Time{};
  for (const auto flow : run.flows) at = std::max(at, around_.transfers.ends(flow));
  if (!run.work().map && !run.computing) at += compute_time(run, true, true);
  return at + writing;
}

void Runs::deliver(AgentNo agent, const DeliverInputs& delivered, Time now) {
  const auto number = runs_.find(agent, delivered.launch);
  if (!number) return;
  auto& run = runs_[*number];
  const auto& more = delivered.inputs;
  run.complete = more.complete;
  run.inputs.insert(run.inputs.end(), more.synthetic.begin(), more.synthetic.end());
  if (run.phase == Run::Phase::starting) return;
  auto missing = missing_outputs(run, around_.nodes);
  if (!missing.empty()) return fail_without(*number, std::move(missing), now);
  copy(*number, more.synthetic, now);
  work_done(*number, now);
}

void Runs::permit_computing(AgentNo agent, LaunchId launch, Time now) {
  if (const auto number = runs_.find(agent, launch)) compute(*number, true, true, now);
}

void Runs::phase_over(RunNo number, std::uint32_t version, Time now) {
  if (!runs_.is_still(number, version)) return;
  auto& run = runs_[number];
  if (run.phase == Run::Phase::starting) return begin_work(number, now);
  if (run.phase == Run::Phase::writing) return put_into_store(number, now);
  run.computing = false;
  if (run.work().map) return work_done(number, now);
  write(number, now);  // a reduce has copied before
}

void Runs::begin_work(RunNo number, Time now) {
  auto& run = runs_[number];
  auto missing = missing_outputs(run, around_.nodes);
  if (!missing.empty()) return fail_without(number, std::move(missing), now);
  if (lacks_a_block(run, around_.nodes)) return fail_without_replica(number, now);
  if (!has_cached(number, now)) return;
  run.phase = Run::Phase::working;
  if (run.work().map) return begin_map(number, now);
  copy(number, run.inputs, now);
  work_done(number, now);
}

/// Returns whether the node keeps all files of the run. False: the run waits, and begins its work once more
/// when a file has come; or it has failed.
bool Runs::has_cached(RunNo number, Time now) {
  auto& run = runs_[number];
  for (const auto& file : run.work().cached) {
    if (file.blocks.empty()) continue;
    const auto answer = around_.cached.ask(run.agent, file, {number, run.version}, now);
    run.local_bytes += answer.local;
    run.remote_bytes += answer.remote;
    run.far |= answer.began && penalty();
    if (answer.has == CachedFiles::Has::yes) continue;
    if (answer.has == CachedFiles::Has::never) fail_without_replica(number, now);
    return false;
  }
  return true;
}

void Runs::file_came(CachedFiles::Waiting run, Time now) {
  if (runs_.is_still(run.run, run.version)) begin_work(run.run, now);
}

void Runs::file_failed(CachedFiles::Waiting run, Time now) {
  if (runs_.is_still(run.run, run.version)) fail_without_replica(run.run, now);
}

void Runs::begin_map(RunNo number, Time now) {
  auto& run = runs_[number];
  bool node_local = true;
  bool rack_local = true;
  for (const auto& block : run.work().blocks) {
    const auto source = around_.nodes.source_of(run.agent, block);
    const bool here = source == run.agent;
    node_local &= here;
    rack_local &= here || (source && around_.links.same_rack(*source, run.agent));
    (here ? run.local_bytes : run.remote_bytes) += block.length;
  }
  compute(number, node_local, rack_local, now);
  if (penalty()) return;
  for (const auto& block : runs_[number].work().blocks) read_block(number, block, now);
}

void Runs::compute(RunNo number, bool node_local, bool rack_local, Time now) {
  auto& run = runs_[number];
  run.computing = true;
  run.until = now + compute_time(run, node_local, rack_local);
  queue_.push(run.until, What::run_phase, number, run.version);
}

/// Returns how long the run computes. With the penalty model, the time to read is in it.
Duration Runs::compute_time(const Run& run, bool node_local, bool rack_local) const {
  auto factor = kMilli;
  if (penalty() && (!node_local || run.far)) {
    factor = rack_local && !run.far ? plan_.cost.rack_factor_milli : plan_.cost.any_factor_milli;
  }
  return around_.nodes.slowed(run.agent, run.work().compute) * factor / kMilli;
}

void Runs::read_block(RunNo number, const BlockRead& block, Time now) {
  const auto agent = runs_[number].agent;
  const auto source = around_.nodes.source_of(agent, block).value_or(agent);
  if (source == agent) return read(around_.links.local(agent), block.length, {number}, now);
  read(around_.links.remote(source, agent), block.length, {number, &block, source}, now);
}

void Runs::copy(RunNo number, std::span<const SyntheticInput> inputs, Time now) {
  auto& run = runs_[number];
  std::uint64_t local = 0;
  std::uint64_t remote = 0;
  for (const auto& input : inputs) {
    const bool here = around_.nodes.find(input.agent) == run.agent;
    (here ? local : remote) += input.bytes;
  }
  run.local_bytes += local;
  run.remote_bytes += remote;
  if (penalty()) return;
  const auto agent = run.agent;
  read(around_.links.local(agent), local, {number}, now);
  read(around_.links.shuffle(agent), remote, {number}, now);
}

void Runs::read(const Path& path, std::uint64_t bytes, Reader reader, Time now) {
  if (bytes == 0 || path.empty()) return;
  const auto flow = around_.transfers.start(*this, path, bytes, now);
  if (readers_.size() <= flow) readers_.resize(flow + 1);
  readers_[flow] = reader;
  runs_[reader.run].flows.push_back(flow);
}

void Runs::flow_ended(FlowNo flow, Time now) {
  const auto number = readers_[flow].run;
  auto& flows = runs_[number].flows;
  flows.erase(std::find(flows.begin(), flows.end(), flow));
  if (flows.empty()) runs_[number].copied = runs_[number].inputs.size();
  work_done(number, now);
}

void Runs::work_done(RunNo number, Time now) {
  auto& run = runs_[number];
  if (run.computing || !run.flows.empty() || !run.complete) return;
  if (run.work().map) return write(number, now);
  if (!std::exchange(run.asked, true)) notify_(run.agent, ComputeAsked{run.launch});
}

void Runs::write(RunNo number, Time now) {
  auto& run = runs_[number];
  run.phase = Run::Phase::writing;
  const auto writing = at_rate(run.work().output_bytes, plan_.cost.write_rate);
  if (writing == Duration::zero()) return put_into_store(number, now);
  run.until = now + writing;
  queue_.push(run.until, What::run_phase, number, run.version);
}

/// Goes on with an output that is on the run's own disk.
void Runs::put_into_store(RunNo number, Time now) {
  const auto& run = runs_[number];
  const auto& output = run.work().output;
  if (output.path.empty()) return exit(number, now);
  around_.writes.begin(number, run.agent, output, run.work().output_bytes, now);
}

void Runs::output_failed(RunNo number, Time now) {
  fail(number, {runs_[number].launch, {kNotWritten, 0}, {}, "the output cannot be written"}, now);
}

void Runs::exit(RunNo number, Time now) {
  const auto& run = runs_[number];
  const auto agent = run.agent;
  RunExited exited{run.launch, {}, result_of(run.work(), run.local_bytes, run.remote_bytes), {}};
  release(number, now);
  notify_(agent, std::move(exited));
}

void Runs::end(AgentNo agent, LaunchId launch, Time now) {
  const auto number = runs_.find(agent, launch);
  if (!number) return;
  release(*number, now);
  constexpr std::int32_t kTerminated = 15;
  notify_(agent, RunExited{launch, {0, kTerminated}, {}, {}});
}

void Runs::fail(RunNo number, RunExited how, Time now) {
  const auto agent = runs_[number].agent;
  release(number, now);
  notify_(agent, std::move(how));
}

/// Ends a reduce that cannot copy these maps' outputs.
void Runs::fail_without(RunNo number, std::vector<TaskId> missing, Time now) {
  ReduceResult result;
  result.missing = std::move(missing);
  auto shared = std::make_shared<const TaskResult>(std::move(result));
  fail(number, {runs_[number].launch, {kOutputsMissing, 0}, std::move(shared), {}}, now);
}

void Runs::fail_without_replica(RunNo number, Time now) {
  fail(number, {runs_[number].launch, {kNoReplica, 0}, {}, {}}, now);
}

void Runs::lose(AgentNo agent, Time now) {
  for (RunNo number = 0; number < runs_.all().size(); ++number) {
    if (runs_[number].live && runs_[number].agent == agent) release(number, now);
  }
}

void Runs::reroute(Time now) {
  for (RunNo number = 0; number < runs_.all().size(); ++number) {
    if (runs_[number].live && runs_[number].phase == Run::Phase::working) reroute_run(number, now);
  }
}

/// Replaces the sources that do not reach a working run any more, or ends it.
void Runs::reroute_run(RunNo number, Time now) {
  auto& run = runs_[number];
  if (run.flows.empty()) return;
  auto missing = missing_outputs(run, around_.nodes);
  if (!missing.empty()) return fail_without(number, std::move(missing), now);
  const auto flows = run.flows;
  for (const auto flow : flows) {
    const auto reader = readers_[flow];
    if (reader.block == nullptr || around_.nodes.reaches(reader.source, run.agent)) continue;
    if (!around_.nodes.source_of(run.agent, *reader.block)) return fail_without_replica(number, now);
    run.flows.erase(std::find(run.flows.begin(), run.flows.end(), flow));
    around_.transfers.cancel(flow, now);
    read_block(number, *reader.block, now);
  }
}

void Runs::release(RunNo number, Time now) {
  auto& run = runs_[number];
  for (const auto flow : run.flows) around_.transfers.cancel(flow, now);
  run.flows.clear();
  around_.writes.cancel(number, now);
  runs_.close(number);
}

}  // namespace proffer::sim
