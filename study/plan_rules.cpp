#include "proffer/study/plan_rules.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "proffer/bulk.hpp"

namespace proffer::study {
namespace {

Error invalid(std::string why) { return {ErrorCode::invalid, std::move(why)}; }

/// Checks that nothing is ended while it is down.
Result<> check_ends(const Plan& plan) {
  using What = PlanFault::What;
  std::map<std::pair<What, std::string>, std::map<Duration, Duration>> down;  // from, until
  for (const auto& fault : plan.faults) {
    const bool server = fault.what == What::stop_allocator || fault.what == What::stop_catalog;
    if (fault.what != What::kill_node && !server) continue;
    auto& times = down[{fault.what, server ? "" : fault.target}];
    const auto [at, is_new] = times.emplace(fault.at, fault.at + fault.lasting);
    const auto next = std::next(at);
    const bool overlaps = !is_new || (next != times.end() && next->first <= at->second) ||
                          (at != times.begin() && std::prev(at)->second >= fault.at);
    if (overlaps) return invalid("faults kill " + fault.target + " while it is dead");
  }
  return {};
}

/// Checks that all whom faults befall are there.
Result<> check_targets(const Plan& plan, const std::set<std::string>& nodes) {
  using What = PlanFault::What;
  std::set<std::string> racks;
  for (const auto& node : plan.nodes) racks.insert(node.rack);
  for (const auto& fault : plan.faults) {
    if (fault.what == What::stop_allocator || fault.what == What::stop_catalog) continue;
    const bool rack = fault.what == What::cut_rack;
    if ((rack ? racks : nodes).contains(fault.target)) continue;
    return Error{ErrorCode::not_found, std::string("a fault names the ") + (rack ? "rack" : "node") + " \"" +
                                           fault.target + "\", which there is not"};
  }
  return {};
}

Result<> check_nodes(const Plan& plan, std::set<Kind>& kinds) {
  if (plan.nodes.empty()) return invalid("the cluster has no nodes");
  std::set<std::string> names;
  for (const auto& node : plan.nodes) {
    if (!names.insert(node.name).second) return invalid("two nodes are named " + node.name);
    for (const auto& [kind, units] : node.slots) kinds.insert(kind);
  }
  if (auto checked = check_targets(plan, names); !checked) return checked;
  return check_ends(plan);
}

/// Checks that no map reads more than its block.
Result<> check_parts(const WorkloadFile& file, const WorkloadJob& job) {
  for (std::size_t map = 0; map < job.maps.size(); ++map) {
    const auto block = job.reads.empty() ? map : job.reads[map];
    if (job.maps[map].input_bytes <= file.blocks[block].bytes) continue;
    return invalid("job " + job.name + " reads more of a block of " + file.path + " than it has");
  }
  return {};
}

/// Checks that slots for a rigid job are gathered in time, and that there is room for all of its maps.
Result<> check_rigid(const Plan& plan, const WorkloadJob& job) {
  if (!job.rigid) return {};
  for (const auto& framework : plan.frameworks) {
    if (framework.name != job.framework || framework.gather_for < plan.allocator.offer_timeout) continue;
    return invalid("job " + job.name + " is rigid, but offers are taken back (offer_timeout) before " +
                   framework.name + " gives up gathering them (gather_for)");
  }
  const auto need = job.need.empty() ? Resources{{Kind("map"), 1}} : job.need;
  std::int64_t room = 0;
  for (const auto& node : plan.nodes) room += tasks_in(node.slots, need);
  if (room >= std::ssize(job.maps)) return {};
  return invalid("job " + job.name + " is rigid and has " + std::to_string(job.maps.size()) +
                 " maps, but all nodes together have room for " + std::to_string(room));
}

/// Checks that a map fits some node, and that its framework takes nothing but bulk resources for maps.
Result<> check_need(const Plan& plan, const WorkloadJob& job) {
  for (const auto& framework : plan.frameworks) {
    if (framework.name != job.framework || (framework.map_kind == kCpus) == !job.need.empty()) continue;
    return invalid("job " + job.name + ": the jobs of " + framework.name +
                   " take either slots or bulk resources (need), not some the one and some the other");
  }
  if (job.need.empty()) return {};
  for (const auto& node : plan.nodes) {
    if (node.slots.contains(job.need)) return {};
  }
  return invalid("job " + job.name + " needs more for a map than any node has");
}

Result<> check_job(const Plan& plan, const WorkloadJob& job, const std::set<std::string>& frameworks,
                   const std::set<Kind>& kinds) {
  if (!frameworks.contains(job.framework)) {
    return Error{ErrorCode::not_found,
                 "job " + job.name + " is for the framework \"" + job.framework + "\", which there is not"};
  }
  if (job.maps.empty()) return invalid("job " + job.name + " has no maps");
  if (job.need.empty() && !kinds.contains(Kind("map"))) return invalid("no node has map slots");
  if (auto need = check_need(plan, job); !need) return need;
  if (!job.reduces.empty() && !kinds.contains(Kind("reduce"))) {
    return invalid("job " + job.name + " has reduces, but no node has reduce slots");
  }
  if (job.cached && *job.cached >= plan.workload.files.size()) {
    return invalid("job " + job.name + " needs a cached file that there is not");
  }
  // What a framework would refuse is told before anything runs.
  if (const auto taken = proffer::check_job(job_spec(plan, job, "unused")); !taken) {
    return invalid("job " + job.name + ": " + taken.error().message);
  }
  if (auto rigid = check_rigid(plan, job); !rigid) return rigid;
  if (!job.file) return {};
  if (*job.file >= plan.workload.files.size())
    return invalid("job " + job.name + " reads a file that there is not");
  const auto& file = plan.workload.files[*job.file];
  if (!job.reads.empty()) {
    const bool all_there = std::all_of(job.reads.begin(), job.reads.end(),
                                       [&](std::uint32_t block) { return block < file.blocks.size(); });
    if (all_there && job.reads.size() == job.maps.size()) return check_parts(file, job);
    return invalid("job " + job.name + " reads blocks that " + file.path +
                   " does not have, or not one a map");
  }
  if (file.blocks.size() == job.maps.size()) return check_parts(file, job);
  return invalid("job " + job.name + " has " + std::to_string(job.maps.size()) + " maps, but " + file.path +
                 " has " + std::to_string(file.blocks.size()) + " blocks");
}

/// The folder that a stage writes.
std::string output_of(const std::string& job) { return "/" + job + "/output"; }

void put_into_graph(const Plan& plan, const WorkloadJob& job, JobSpec& spec) {
  spec.after = job.stage->after;
  for (const auto& former : job.stage->after) spec.inputs.push_back(output_of(former));
  if (job.stage->block_bytes == 0) return;
  spec.output = output_of(job.name);
  spec.block_bytes = job.stage->block_bytes;
  spec.replication = plan.replication;
}

/// Checks that what a job waits for comes before it, and writes what it reads.
Result<> check_order(const WorkloadJob& job, const std::map<std::string, const WorkloadJob*>& before) {
  if (!job.after.empty() && !before.contains(job.after)) {
    return invalid("job " + job.name + " waits for \"" + job.after + "\", which is no job before it");
  }
  if (!job.stage) return {};
  for (const auto& name : job.stage->after) {
    const auto former = before.find(name);
    if (former == before.end() || !former->second->stage || former->second->framework != job.framework) {
      return invalid("job " + job.name + " reads what \"" + name +
                     "\" writes, which is no stage of its framework before it");
    }
    if (former->second->stage->block_bytes > 0) continue;
    return invalid("job " + job.name + " reads what " + name + " writes, which writes nothing");
  }
  return {};
}

/// Returns the block that each map reads, where that is not simply the next one.
std::vector<std::uint32_t> reads_of(const Workload& workload, const WorkloadJob& job) {
  if (!job.file) return {};
  const auto& blocks = workload.files[*job.file].blocks;
  const auto is_unknown = [](const WorkloadBlock& block) { return block.unknown_place; };
  if (std::none_of(blocks.begin(), blocks.end(), is_unknown)) return job.reads;
  auto reads = job.reads;
  if (reads.empty()) {
    reads.resize(job.maps.size());
    std::iota(reads.begin(), reads.end(), 0);
  }
  for (auto& at : reads) {
    if (blocks[at].unknown_place) at = SyntheticJob::kReadsNothing;
  }
  return reads;
}

}  // namespace

Result<> check_plan(const Plan& plan) {
  std::set<Kind> kinds;
  if (auto nodes = check_nodes(plan, kinds); !nodes) return nodes;
  std::set<std::string> frameworks;
  for (const auto& framework : plan.frameworks) {
    if (!frameworks.insert(framework.name).second)
      return invalid("two frameworks are named " + framework.name);
  }
  std::map<std::string, const WorkloadJob*> jobs;
  for (const auto& job : plan.workload.jobs) {
    if (auto checked = check_order(job, jobs); !checked) return checked;
    if (!jobs.emplace(job.name, &job).second) return invalid("two jobs are named " + job.name);
    if (auto checked = check_job(plan, job, frameworks, kinds); !checked) return checked;
  }
  if (jobs.empty()) return invalid("there are no jobs");
  return {};
}

JobSpec job_spec(const Plan& plan, const WorkloadJob& job, std::string token) {
  const auto& workload = plan.workload;
  JobSpec spec;
  spec.name = job.name;
  spec.pool = job.pool;
  spec.user = job.user;
  spec.priority = job.priority;
  // The framework learns of the job after its setup, and is done with it before its cleanup.
  if (job.deadline > Duration::zero()) {
    spec.deadline = std::max<Duration>(job.deadline - job.setup - job.cleanup, std::chrono::microseconds(1));
  }
  spec.token = std::move(token);
  if (job.file) spec.inputs = {workload.files[*job.file].path};
  if (job.cached) spec.cached = {{workload.files[*job.cached].path, "cached"}};
  SyntheticJob synthetic;
  for (const auto& map : job.maps) synthetic.maps.push_back({map.compute, map.output_bytes, map.input_bytes});
  for (const auto& reduce : job.reduces) synthetic.reduces.push_back({reduce.compute, reduce.output_bytes});
  synthetic.reads = reads_of(workload, job);
  synthetic.rigid = job.rigid;
  synthetic.need = job.need;
  spec.synthetic = std::move(synthetic);
  if (job.stage) put_into_graph(plan, job, spec);
  return spec;
}

}  // namespace proffer::study
