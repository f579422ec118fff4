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

}  // namespace

Runs::Runs(const study::Plan& plan, EventQueue& queue, Tell tell)
    : plan_(plan),
      queue_(queue),
      tell_(std::move(tell)),
      flows_([this](Time at, FlowNo flow, std::uint32_t version) {
        queue_.push(at, What::flow_end, flow, version);
      }),
      slowness_milli_(plan.nodes.size(), kMilli),
      ids_(plan.nodes.size()),
      down_(plan.nodes.size()) {
  const auto& cost = plan.cost;
  const auto link = [this](std::uint64_t rate) {
    return rate == 0 ? std::nullopt : std::optional(flows_.add_link(rate));
  };
  std::map<std::string, std::uint32_t> racks;
  for (const auto& node : plan.nodes) {
    const auto [rack, fresh] = racks.try_emplace(node.rack, static_cast<std::uint32_t>(racks_.size()));
    if (fresh) racks_.push_back({link(cost.rack_uplink_rate), link(cost.rack_uplink_rate)});
    nodes_.push_back({link(cost.disk_rate), link(cost.nic_rate), link(cost.nic_rate), link(cost.remote_rate),
                      rack->second});
  }
}

void Runs::start(AgentNo agent, const StartRun& start, Time now) {
  tell_(agent, RunStarted{start.launch});
  if (!start.task.work || !std::holds_alternative<SyntheticWork>(*start.task.work)) {
    return tell_(agent, RunExited{start.launch, {127, 0}, {}, "only synthetic work can be simulated"});
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(runs_.size()));
    runs_.emplace_back();
  }
  const auto number = free_.back();
  free_.pop_back();
  auto& run = runs_[number];
  const auto version = run.version;
  run = {};
  run.version = version + 1;
  run.agent = agent;
  run.launch = start.launch;
  run.work = start.task.work;
  run.inputs = work(run).inputs;
  run.complete = work(run).complete;
  run.live = true;
  by_launch_[{agent, start.launch}] = number;
  if (!start.task.resources.empty()) run.kind = start.task.resources.begin()->first;
  run.until = now + plan_.cost.start_up;
  queue_.push(run.until, What::run_phase, number, run.version);
}

void Runs::each_slot(Kind kind, Time until, const std::function<void(AgentId, Time)>& visit) const {
  std::vector<std::int64_t> used(ids_.size());
  for (const auto& run : runs_) {
    if (!run.live || run.kind != kind) continue;
    ++used[run.agent];
    if (const auto at = released_at(run); at && *at <= until) visit(ids_[run.agent], *at);
  }
  for (AgentNo agent = 0; agent < ids_.size(); ++agent) {
    if (down_[agent]) continue;
    for (auto n = used[agent]; n < plan_.nodes[agent].slots[kind]; ++n) visit(ids_[agent], Time{});
  }
}

/// None for reduces that wait for maps.
std::optional<Time> Runs::released_at(const Run& run) const {
  const auto writing = at_rate(work(run).output_bytes, plan_.cost.write_rate);
  switch (run.phase) {
    case Phase::starting:
      return run.until + compute_time(run, true, true) + writing;
    case Phase::writing:
      return run.until;
    case Phase::working:
      break;
  }
  if (!run.complete) return {};
  auto at = run.computing ? run.until : Time{};
  for (const auto flow : run.flows) at = std::max(at, flows_.ends(flow));
  if (!work(run).map && !run.computing) at += compute_time(run, true, true);
  return at + writing;
}

std::optional<std::uint32_t> Runs::find(AgentNo agent, LaunchId launch) const {
  const auto at = by_launch_.find({agent, launch});
  return at == by_launch_.end() ? std::nullopt : std::optional(at->second);
}

void Runs::deliver(AgentNo agent, const DeliverInputs& delivered, Time now) {
  const auto number = find(agent, delivered.launch);
  if (!number) return;
  auto& run = runs_[*number];
  const auto& more = delivered.inputs;
  run.complete = more.complete;
  run.inputs.insert(run.inputs.end(), more.synthetic.begin(), more.synthetic.end());
  if (run.phase == Phase::starting) return;
  if (auto missing = missing_outputs(run); !missing.empty()) return want_of(*number, std::move(missing), now);
  copy(*number, more.synthetic, now);
  work_done(*number, now);
}

void Runs::give_leave(AgentNo agent, LaunchId launch, Time now) {
  if (const auto number = find(agent, launch)) compute(*number, true, true, now);
}

void Runs::phase_over(std::uint32_t number, std::uint32_t version, Time now) {
  auto& run = runs_[number];
  if (!run.live || run.version != version) return;
  if (run.phase == Phase::starting) return begin_work(number, now);
  if (run.phase == Phase::writing) return exit(number, now);
  run.computing = false;
  if (work(run).map) return work_done(number, now);
  write(number, now);  // a reduce has copied before
}

void Runs::begin_work(std::uint32_t number, Time now) {
  auto& run = runs_[number];
  if (auto missing = missing_outputs(run); !missing.empty()) return want_of(number, std::move(missing), now);
  if (lacks_a_block(run)) return fail(number, {run.launch, {kNoReplica, 0}, {}, {}}, now);
  if (!has_cached(number, now)) return;
  run.phase = Phase::working;
  if (work(run).map) return begin_map(number, now);
  copy(number, run.inputs, now);
  work_done(number, now);
}

void Runs::begin_map(std::uint32_t number, Time now) {
  auto& run = runs_[number];
  bool node_local = true;
  bool rack_local = true;
  for (const auto& block : work(run).blocks) {
    const auto source = nearest(block);
    const bool here = source == run.agent;
    node_local &= here;
    rack_local &= here || (source && nodes_[*source].rack == nodes_[run.agent].rack);
    (here ? run.local_bytes : run.remote_bytes) += block.length;
  }
  compute(number, node_local, rack_local, now);
  if (plan_.cost.reading == study::CostModel::Reading::fluid) read_blocks(number, now);
}

void Runs::compute(std::uint32_t number, bool node_local, bool rack_local, Time now) {
  auto& run = runs_[number];
  run.computing = true;
  run.until = now + compute_time(run, node_local, rack_local);
  queue_.push(run.until, What::run_phase, number, run.version);
}

/// With the penalty model, the time to read is in it.
Duration Runs::compute_time(const Run& run, bool node_local, bool rack_local) const {
  auto factor = kMilli;
  if (plan_.cost.reading == study::CostModel::Reading::penalty && (!node_local || run.far)) {
    factor = rack_local && !run.far ? plan_.cost.rack_factor_milli : plan_.cost.any_factor_milli;
  }
  return work(run).compute * slowness_milli_[run.agent] / kMilli * factor / kMilli;
}

void Runs::read_blocks(std::uint32_t number, Time now) {
  for (const auto& block : work(runs_[number]).blocks) read_block(number, block, now);
}

void Runs::read_block(std::uint32_t number, const BlockRead& block, Time now) {
  const auto agent = runs_[number].agent;
  const auto source = nearest(block).value_or(agent);
  if (source == agent) return read(number, local_path(agent), block.length, now);
  read(number, remote_path(source, agent), block.length, now, &block, source);
}

/// What comes from everywhere is one flow into the node: with a source on nearly every node, none of them
/// binds.
void Runs::copy(std::uint32_t number, std::span<const SyntheticInput> inputs, Time now) {
  auto& run = runs_[number];
  std::uint64_t local = 0;
  std::uint64_t remote = 0;
  for (const auto& input : inputs) {
    const auto at = numbers_.find(input.agent);
    const bool here = at != numbers_.end() && at->second == run.agent;
    (here ? local : remote) += input.bytes;
  }
  run.local_bytes += local;
  run.remote_bytes += remote;
  if (plan_.cost.reading == study::CostModel::Reading::penalty) return;
  const auto agent = run.agent;
  read(number, local_path(agent), local, now);
  read(number, shuffle_path(agent), remote, now);
}

void Runs::read(std::uint32_t number, Path path, std::uint64_t bytes, Time now, const BlockRead* block,
                AgentNo source) {
  if (bytes == 0 || path.empty()) return;
  const auto flow = flows_.start(path, bytes, now);
  if (flow_uses_.size() <= flow) flow_uses_.resize(flow + 1);
  flow_uses_[flow] = {number, block, source, {}};
  runs_[number].flows.push_back(flow);
}

void Runs::flow_ended(FlowNo flow, std::uint32_t version, Time now) {
  if (!flows_.ended(flow, version, now)) return;
  if (const auto copy = flow_uses_[flow].copy) return copy_ended(*copy);
  if (const auto kept = flow_uses_[flow].kept) return cached_block_came(*kept, flow, now);
  const auto number = flow_uses_[flow].run;
  auto& flows = runs_[number].flows;
  flows.erase(std::find(flows.begin(), flows.end(), flow));
  if (flows.empty()) runs_[number].copied = runs_[number].inputs.size();
  work_done(number, now);
}

void Runs::work_done(std::uint32_t number, Time now) {
  auto& run = runs_[number];
  if (run.computing || !run.flows.empty() || !run.complete) return;
  if (work(run).map) return write(number, now);
  if (!std::exchange(run.asked, true)) tell_(run.agent, LeaveAsked{run.launch});
}

void Runs::write(std::uint32_t number, Time now) {
  auto& run = runs_[number];
  run.phase = Phase::writing;
  const auto writing = at_rate(work(run).output_bytes, plan_.cost.write_rate);
  if (writing == Duration::zero()) return exit(number, now);
  run.until = now + writing;
  queue_.push(run.until, What::run_phase, number, run.version);
}

void Runs::exit(std::uint32_t number, Time now) {
  const auto& run = runs_[number];
  const auto agent = run.agent;
  RunExited exited{run.launch, {}, result_of(work(run), run.local_bytes, run.remote_bytes), {}};
  release(number, now);
  tell_(agent, std::move(exited));
}

void Runs::end(AgentNo agent, LaunchId launch, Time now) {
  const auto number = find(agent, launch);
  if (!number) return;
  release(*number, now);
  constexpr std::int32_t kTerminated = 15;
  tell_(agent, RunExited{launch, {0, kTerminated}, {}, {}});
}

void Runs::fail(std::uint32_t number, RunExited how, Time now) {
  const auto agent = runs_[number].agent;
  release(number, now);
  tell_(agent, std::move(how));
}

void Runs::want_of(std::uint32_t number, std::vector<TaskId> missing, Time now) {
  ReduceResult result;
  result.missing = std::move(missing);
  fail(
      number,
      {runs_[number].launch, {kOutputsMissing, 0}, std::make_shared<const TaskResult>(std::move(result)), {}},
      now);
}

std::vector<TaskId> Runs::missing_outputs(const Run& run) const {
  std::vector<TaskId> missing;
  for (auto i = run.copied; i < run.inputs.size(); ++i) {
    const auto& input = run.inputs[i];
    const auto at = numbers_.find(input.agent);
    if (at != numbers_.end() && down_[at->second]) missing.push_back(input.map);
  }
  return missing;
}

/// All that hold it are gone.
bool Runs::lacks_a_block(const Run& run) const {
  const auto& blocks = work(run).blocks;
  return std::any_of(blocks.begin(), blocks.end(),
                     [this](const BlockRead& block) { return !block.replicas.empty() && !nearest(block); });
}

void Runs::lose(AgentNo agent, Time now) {
  down_[agent] = true;
  lose_copies(agent, now);
  lose_cache_reads(agent, now);
  for (std::uint32_t number = 0; number < runs_.size(); ++number) {
    if (!runs_[number].live) continue;
    if (runs_[number].agent == agent) {
      release(number, now);
    } else if (runs_[number].phase == Phase::working) {
      lose_source(number, now);
    }
  }
}

/// A run that works, some of whose sources may be gone.
void Runs::lose_source(std::uint32_t number, Time now) {
  auto& run = runs_[number];
  if (run.flows.empty()) return;
  if (auto missing = missing_outputs(run); !missing.empty()) return want_of(number, std::move(missing), now);
  const auto flows = run.flows;
  for (const auto flow : flows) {
    const auto use = flow_uses_[flow];
    if (use.block == nullptr || !down_[use.source]) continue;
    if (!nearest(*use.block)) return fail(number, {run.launch, {kNoReplica, 0}, {}, {}}, now);
    run.flows.erase(std::find(run.flows.begin(), run.flows.end(), flow));
    flows_.cancel(flow, now);
    read_block(number, *use.block, now);
  }
}

void Runs::release(std::uint32_t number, Time now) {
  auto& run = runs_[number];
  for (const auto flow : run.flows) flows_.cancel(flow, now);
  run.flows.clear();
  by_launch_.erase({run.agent, run.launch});
  run.live = false;
  ++run.version;
  run.work.reset();
  free_.push_back(number);
}

/// Replicas come nearest first.
std::optional<AgentNo> Runs::nearest(const BlockRead& block) const {
  return source_of(block.block, block.replicas);
}

namespace {
void add(Path& path, const std::optional<LinkNo>& link) {
  if (link) path.push_back(*link);
}
}  // namespace

Path Runs::local_path(AgentNo reader) const {
  Path path;
  add(path, nodes_[reader].disk);
  return path;
}

Path Runs::remote_path(AgentNo source, AgentNo reader) const {
  const auto& from = nodes_[source];
  const auto& to = nodes_[reader];
  Path path;
  add(path, from.disk);
  add(path, from.nic_out);
  if (from.rack != to.rack) {
    add(path, racks_[from.rack].out);
    add(path, racks_[to.rack].in);
  }
  add(path, to.nic_in);
  add(path, to.remote);
  return path;
}

Path Runs::shuffle_path(AgentNo reader) const {
  const auto& to = nodes_[reader];
  Path path;
  if (racks_.size() > 1) add(path, racks_[to.rack].in);
  add(path, to.nic_in);
  add(path, to.remote);
  return path;
}

}  // namespace proffer::sim
