#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proffer/bulk.hpp"
#include "proffer/study/generate.hpp"
#include "study/experiment/scenario.hpp"
#include "study/experiment/traces.hpp"

namespace proffer::study {
namespace {

/// Names and paths of a trace, so that two traces can be run together.
void put_in_front(const std::string& name, Workload& workload) {
  for (auto& job : workload.jobs) {
    job.name = fmt::format("{}-{}", name, job.name);
    if (!job.after.empty()) job.after = fmt::format("{}-{}", name, job.after);
  }
  for (auto& file : workload.files)
    file.path = fmt::format("/{}{}{}", name, file.path.starts_with('/') ? "" : "/", file.path);
}

/// Returns whether a job is of the same graph as the one in front of it, so that nothing is dealt out anew.
bool goes_on(const std::vector<WorkloadJob>& jobs, std::size_t number) {
  return number > 0 && jobs[number].stage && jobs[number - 1].stage &&
         jobs[number].stage->graph == jobs[number - 1].stage->graph;
}

/// One after the other; a job whose trace names one of these frameworks stays there.
void deal_out(const std::vector<std::string>& frameworks, Workload& workload) {
  std::size_t next = 0;
  auto& jobs = workload.jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (std::find(frameworks.begin(), frameworks.end(), jobs[i].framework) != frameworks.end()) continue;
    jobs[i].framework = goes_on(jobs, i) ? jobs[i - 1].framework : frameworks[next++ % frameworks.size()];
  }
}

/// As the jobs come.
void deal_out_people(const WorkloadSection& section, Workload& workload) {
  std::size_t next = 0;
  auto& jobs = workload.jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto turn = goes_on(jobs, i) ? next - 1 : next++;
    if (!section.pools.empty()) jobs[i].pool = section.pools[turn % section.pools.size()];
    if (!section.users.empty()) jobs[i].user = section.users[turn % section.users.size()];
  }
}

/// Places that are of another cluster than the one that is studied, whose store gives all blocks new ones.
void forget_places(Workload& workload) {
  workload.nodes.clear();
  for (auto& file : workload.files) {
    for (auto& block : file.blocks) block = {block.bytes, {}};
  }
}

Result<Workload> all_work(const Scenario& scenario, const Experiment& experiment, std::uint64_t seed) {
  std::vector<Workload> workloads;
  for (const auto& section : scenario.workloads) {
    auto workload = workload_of(section, experiment, seed);
    if (!workload) return workload.error();
    if (section.trace && scenario.workloads.size() > 1) put_in_front(section.spec.name, *workload);
    deal_out(section.frameworks, *workload);
    deal_out_people(section, *workload);
    for (auto& job : workload->jobs) job.need = section.need;
    if (section.trace && !scenario.cluster.of_trace) forget_places(*workload);
    workloads.push_back(std::move(*workload));
  }
  return merge(std::move(workloads));
}

std::vector<PlanNode> nodes_of_trace(const ClusterSection& cluster, const Workload& workload) {
  std::vector<PlanNode> nodes;
  for (const auto& node : workload.nodes)
    nodes.push_back({node.name, node.rack, cluster.slots, cluster.max_computing});
  return nodes;
}

std::vector<PlanFramework> frameworks_of(const Scenario& scenario) {
  std::vector<PlanFramework> frameworks;
  for (const auto& section : scenario.frameworks) {
    for (auto& name : section.names()) {
      frameworks.push_back(section.each);
      frameworks.back().name = std::move(name);
    }
  }
  return frameworks;
}

/// A pool for one framework alone, below its own.
AllocatorPool& own_pool(Plan& plan, PlanFramework& framework, std::string_view rule) {
  auto part = framework.name;
  std::replace(part.begin(), part.end(), '.', '_');
  AllocatorPool pool;
  pool.share.name = fmt::format("{}{}{}-{}", framework.pool, framework.pool.empty() ? "" : ".", rule, part);
  framework.pool = pool.share.name;
  return plan.allocator.pools.emplace_back(std::move(pool));
}

/// A pool for each framework that may only have its part of the nodes: as many as each other's, side by side.
void divide_nodes(Plan& plan) {
  const auto parts = plan.frameworks.size();
  for (std::size_t i = 0; i < parts; ++i) {
    auto& pool = own_pool(plan, plan.frameworks[i], "static");
    const auto first = plan.nodes.size() * i / parts;
    const auto end = plan.nodes.size() * (i + 1) / parts;
    for (auto n = first; n < end; ++n) pool.agents.insert(plan.nodes[n].name);
  }
}

/// A pool for each framework whose nodes are its own while it has work.
void lend_nodes(Plan& plan, const AllocatorSection& section) {
  const auto part = std::max<std::size_t>(plan.nodes.size() / plan.frameworks.size(), 1);
  for (auto& framework : plan.frameworks) {
    auto& pool = own_pool(plan, framework, "hod");
    pool.private_agents = section.private_agents.value_or(static_cast<std::uint32_t>(part));
    if (section.return_after) pool.return_after = *section.return_after;
  }
}

AllocatorConfig allocator_of(const Scenario& scenario) {
  AllocatorConfig config;
  config.pools = scenario.pools;
  config.users = scenario.users;
  config.offer_timeout = scenario.allocator.offer_timeout;
  config.batch = scenario.allocator.batch;
  config.report_period = scenario.allocator.report_period;
  config.report_slots = scenario.allocator.report_slots;
  config.share_by = scenario.allocator.share_by;
  config.preemption = scenario.allocator.preemption;
  const bool lossless = scenario.cluster.faults.empty() && !scenario.faults.any();
  const auto usual = lossless ? Duration::zero() : config.heartbeat;
  config.heartbeat = scenario.allocator.heartbeat.value_or(usual);
  // Times are counted in heartbeats, as the defaults of the configuration are.
  config.suspect_after = config.heartbeat * 3;
  config.disconnected_after = config.heartbeat * 5;
  config.unreachable_after = config.heartbeat * 30;
  return config;
}

/// Frameworks with jobs that take bulk resources take them for all maps (check_plan() tells where that does
/// not hold).
void choose_map_kinds(Plan& plan) {
  for (auto& framework : plan.frameworks) {
    const auto takes_bulk = [&](const WorkloadJob& job) {
      return job.framework == framework.name && !job.need.empty();
    };
    if (std::any_of(plan.workload.jobs.begin(), plan.workload.jobs.end(), takes_bulk))
      framework.map_kind = kCpus;
  }
}

void copy_settings(const Scenario& scenario, Plan& plan) {
  plan.replication = scenario.store.replication;
  plan.placement = scenario.store.placement;
  plan.hot_blocks = scenario.replication;
  plan.cost = scenario.cost;
  plan.allocator = allocator_of(scenario);
  plan.heartbeat = plan.allocator.heartbeat;
  plan.latency = scenario.allocator.latency;
  plan.horizon = scenario.horizon;
  plan.warm_up = scenario.warm_up;
  plan.drain = scenario.drain;
}

/// As read_scenario does it, for nodes that come from a trace.
Result<> check_partition(const Plan& plan, const Experiment& experiment) {
  if (plan.nodes.size() >= plan.frameworks.size()) return {};
  return Error{
      ErrorCode::invalid,
      fmt::format("{}: partition = \"static\" needs a node for each of the {} frameworks, and there are {}",
                  experiment.file, plan.frameworks.size(), plan.nodes.size())};
}

}  // namespace

Result<Plan> plan_of(const Scenario& scenario, const Experiment& experiment, const Cell& cell,
                     std::uint64_t seed) {
  auto workload = all_work(scenario, experiment, seed);
  if (!workload) return workload.error();
  Plan plan;
  plan.experiment = experiment.name;
  plan.cell = cell.name;
  plan.seed = seed;
  copy_settings(scenario, plan);
  plan.frameworks = frameworks_of(scenario);
  plan.nodes =
      scenario.cluster.of_trace ? nodes_of_trace(scenario.cluster, *workload) : nodes_of(scenario.cluster);
  plan.workload = std::move(*workload);
  choose_map_kinds(plan);
  auto faults = draw_faults(scenario.faults, plan.nodes, scenario.cluster.faults, plan.horizon, seed);
  if (!faults) return Error{faults.error().code, experiment.file + ": " + faults.error().message};
  plan.faults = std::move(*faults);
  if (scenario.allocator.partition == Partition::hod) lend_nodes(plan, scenario.allocator);
  if (scenario.allocator.partition != Partition::fixed) return plan;
  if (auto checked = check_partition(plan, experiment); !checked) return checked.error();
  divide_nodes(plan);
  return plan;
}

}  // namespace proffer::study
