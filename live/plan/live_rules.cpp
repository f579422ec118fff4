// The differences between a live run and a simulated one of the same plan.
#include <fmt/format.h>

#include <algorithm>

#include "proffer/formats/units.hpp"
#include "proffer/ids.hpp"
#include "proffer/live/run_plan.hpp"

namespace proffer::live {
namespace {

Error unlike_live(std::string why) { return {ErrorCode::invalid, std::move(why)}; }

Result<> check_node(const study::PlanNode& node) {
  if (!valid_name(node.name) || node.name == "allocator" || node.name == "catalog") {
    return unlike_live(fmt::format("a node called \"{}\" cannot be an agent of a live run", node.name));
  }
  if (node.speed_milli != 1000 || node.disk_rate) {
    return unlike_live(fmt::format(
        "a live run has one disk and one kind of processor for all nodes, so {} can have neither a "
        "speed nor a disk_rate of its own; simulate it, or leave them out",
        node.name));
  }
  if (valid_name(node.rack)) return {};
  return unlike_live(fmt::format("a rack called \"{}\" cannot be one of a live run", node.rack));
}

/// "machine m1, agents: 4, processors: 2, 35% busy, 0% stolen, load 0.5 then 0.8; its clock gained ..."
std::string told(const study::MachineRow& machine) {
  auto text = fmt::format(
      "machine {}, agents: {}, processors: {}, {:.0f}% busy, {:.0f}% stolen, load {:.2f} then "
      "{:.2f}",
      machine.machine, machine.agents, machine.processors, machine.busy * 100, machine.stolen * 100,
      machine.load_before, machine.load_after);
  if (machine.address.empty()) return text;
  return text + fmt::format("; its clock gained {:.3f} ms ±{:.3f}", machine.clock_drift * 1e3,
                            machine.clock_error * 1e3);
}

}  // namespace

Result<> check_live(const study::Plan& plan, std::size_t machines) {
  if (plan.nodes.size() > machines * kMostLiveNodes) {
    return unlike_live(
        fmt::format("{} nodes are too many for {}; a live run has up to {} on each", plan.nodes.size(),
                    machines == 1 ? "one machine" : fmt::format("{} machines", machines), kMostLiveNodes));
  }
  for (const auto& node : plan.nodes) {
    if (auto checked = check_node(node); !checked) return checked;
  }
  const auto slow = std::find_if(plan.faults.begin(), plan.faults.end(), [](const study::PlanFault& fault) {
    return fault.what == study::PlanFault::What::slow_node;
  });
  if (slow != plan.faults.end()) {
    return unlike_live(fmt::format(
        "a live run cannot make one node slow, as a fault does of {}; simulate it, or leave that out",
        slow->target));
  }
  if (plan.latency > Duration::zero()) {
    return unlike_live("allocator.latency is of the simulator; a live run sends its messages at once");
  }
  return {};
}

std::vector<std::string> live_notes(const study::Plan& plan, const std::vector<study::MachineRow>& machines) {
  using Reading = study::CostModel::Reading;
  const auto& cost = plan.cost;
  std::vector<std::string> notes{
      "computing and start-up pass as time, and use no processor",
      "blocks are zeros that the disk does not hold, and are read from memory",
  };
  const auto rate = cost.remote_rate > 0 ? cost.remote_rate : cost.nic_rate;
  notes.push_back(
      rate > 0 ? fmt::format("each node sends at most {}; no other rate of [cost] holds", format_rate(rate))
               : "no rate of [cost] holds");
  if (cost.reading == Reading::penalty && std::max(cost.rack_factor_milli, cost.any_factor_milli) > 1000) {
    notes.emplace_back(
        "a task far from its block takes longer only by what it costs to move the block: "
        "rack_factor and any_factor do not hold");
  }
  if (!plan.faults.empty()) {
    notes.emplace_back(
        "with a node die its agent, its launcher and its tasks; of one that is cut off only the agent stops: "
        "its "
        "tasks go on, and read from others");
    notes.emplace_back("heartbeats are of real seconds, whatever the scale");
  }
  if (machines.size() > 1) {
    notes.emplace_back("all times are of the run's machine: no figure rests on the clocks of others");
  }
  for (const auto& machine : machines) notes.push_back(told(machine));
  return notes;
}

}  // namespace proffer::live
