#include "proffer/frameworks/slot_graph.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer {
namespace {

/// The cost of a slot that a job has less than its least: more than any wait and any reading costs.
constexpr std::int64_t kShort = 1'000'000'000'000;

/// The graph as a network, with the meaning of its arcs.
class Network {
 public:
  explicit Network(const SlotGraph& graph) : graph_(graph) {
    sink_ = net_.add_node(-static_cast<std::int64_t>(graph.tasks.size()));
    anywhere_ = net_.add_node();
    for (std::size_t r = 0; r < graph.racks; ++r) racks_.push_back(net_.add_node());
    add_agents();
    add_jobs();
    for (const auto& task : graph.tasks) add_task(task);
  }
  std::vector<std::optional<std::size_t>> solve() const;
  const FlowNetwork& network() const { return net_; }

 private:
  void add_agents();
  void add_jobs();
  void add_task(const SlotGraph::Task& task);
  std::vector<std::vector<std::size_t>> slots_by_rack(const Flow& flow) const;

  const SlotGraph& graph_;
  FlowNetwork net_;
  std::size_t sink_ = 0;
  std::size_t anywhere_ = 0;
  std::vector<std::size_t> racks_, agents_, jobs_;  // nodes
  std::vector<std::size_t> to_agent_;               // arcs from their racks
  std::vector<std::size_t> to_rack_;                // arcs from X
  std::vector<std::size_t> tasks_;                  // first arcs: to agents, then racks, then X
};

void Network::add_agents() {
  std::vector<std::int64_t> room(graph_.racks);
  for (const auto& agent : graph_.agents) room[agent.rack] += agent.slots;
  for (std::size_t r = 0; r < graph_.racks; ++r) {
    to_rack_.push_back(net_.add_arc({anywhere_, racks_[r], 0, room[r], 0}));
  }
  for (const auto& agent : graph_.agents) {
    agents_.push_back(net_.add_node());
    net_.add_arc({agents_.back(), sink_, 0, agent.slots, 0});
    to_agent_.push_back(net_.add_arc({racks_[agent.rack], agents_.back(), 0, agent.slots, 0}));
  }
}

void Network::add_jobs() {
  std::vector<std::int64_t> tasks(graph_.jobs.size());
  for (const auto& task : graph_.tasks) ++tasks[task.job];
  for (std::size_t j = 0; j < graph_.jobs.size(); ++j) {
    jobs_.push_back(net_.add_node());
    const auto most = std::clamp<std::int64_t>(graph_.jobs[j].most, 0, tasks[j]);
    const auto least = std::clamp<std::int64_t>(graph_.jobs[j].least, 0, most);
    net_.add_arc({jobs_.back(), sink_, tasks[j] - most, tasks[j] - least, 0});
    if (least > 0) net_.add_arc({jobs_.back(), sink_, 0, least, kShort});
  }
}

void Network::add_task(const SlotGraph::Task& task) {
  const auto node = net_.add_node(1);
  net_.add_arc({node, jobs_[task.job], 0, 1, task.waits});
  tasks_.push_back(net_.arcs().size());
  for (const auto& arc : task.agents) net_.add_arc({node, agents_[arc.to], 0, 1, arc.cost});
  for (const auto& arc : task.racks) net_.add_arc({node, racks_[arc.to], 0, 1, arc.cost});
  if (task.anywhere) net_.add_arc({node, anywhere_, 0, 1, *task.anywhere});
}

/// Returns the slots that are reached through each rack.
std::vector<std::vector<std::size_t>> Network::slots_by_rack(const Flow& flow) const {
  std::vector<std::vector<std::size_t>> slots(graph_.racks);
  for (std::size_t a = 0; a < graph_.agents.size(); ++a) {
    auto& of_rack = slots[graph_.agents[a].rack];
    of_rack.insert(of_rack.end(), static_cast<std::size_t>(flow.on[to_agent_[a]]), a);
  }
  return slots;
}

/// Solves the network and assigns slots. Through a rack all ways cost the same, so any task that comes into
/// it may have any slot that is reached through it. Tasks that came into a rack by an arc of their own go
/// first: the others may take any rack.
std::vector<std::optional<std::size_t>> Network::solve() const {
  const auto flow = min_cost_flow(net_);
  PROFFER_CHECK(flow, "tasks can always wait, so there is a flow");
  auto slots = slots_by_rack(*flow);
  std::vector<std::optional<std::size_t>> where(graph_.tasks.size());
  std::vector<std::size_t> from_anywhere;
  const auto take = [&](std::size_t task, std::size_t rack) {
    PROFFER_CHECK(!slots[rack].empty(), "more came into a rack than left it");
    where[task] = slots[rack].back();
    slots[rack].pop_back();
  };
  for (std::size_t t = 0; t < where.size(); ++t) {
    const auto& task = graph_.tasks[t];
    auto arc = tasks_[t];
    for (const auto& agent : task.agents) {
      if (flow->on[arc++] > 0) where[t] = agent.to;
    }
    for (const auto& rack : task.racks) {
      if (flow->on[arc++] > 0) take(t, rack.to);
    }
    if (task.anywhere && flow->on[arc] > 0) from_anywhere.push_back(t);
  }
  std::size_t rack = 0;
  for (const auto task : from_anywhere) {
    while (rack < slots.size() && slots[rack].empty()) ++rack;
    PROFFER_CHECK(rack < slots.size(), "more tasks go anywhere than there are slots");
    take(task, rack);
  }
  return where;
}

}  // namespace

FlowNetwork network_of(const SlotGraph& graph) { return Network(graph).network(); }

std::vector<std::optional<std::size_t>> cheapest(const SlotGraph& graph) {
  if (graph.tasks.empty()) return {};
  return Network(graph).solve();
}

}  // namespace proffer
