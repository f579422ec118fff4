#include "frameworks/policies/task_graph.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::policies {

std::size_t TaskGraph::rack_of(const std::string& name) {
  const auto [at, is_new] = rack_numbers_.try_emplace(name, graph_.racks);
  if (is_new) ++graph_.racks;
  return at->second;
}

void TaskGraph::add_slots(const AgentInfo& agent, std::int64_t slots) {
  const auto [at, is_new] = numbers_.try_emplace(agent.id, agents_.size());
  if (is_new) {
    agents_.push_back(agent);
    graph_.agents.push_back({rack_of(agent.rack), 0});
  }
  graph_.agents[at->second].slots += slots;
  slots_ += slots;
}

/// Adds only the first `most` tasks of each place: with `most` launches in all, one of them is left whenever
/// a later one would be placed there, and does as well.
void TaskGraph::add_job(JobId job, const Bounds& bounds) {
  const auto number = graph_.jobs.size();
  job_numbers_[job] = number;
  graph_.jobs.push_back({bounds.least, bounds.most});
  const auto most = static_cast<std::size_t>(std::clamp<std::int64_t>(bounds.most, 0, slots_));
  std::set<TaskId> known;
  const auto add = [&](const WaitingTask& task) {
    if (known.insert(task.id).second) add_waiting(job, number, task);
  };
  std::set<std::string> racks;
  for (const auto& [id, at] : numbers_) {
    const auto& agent = agents_[at];
    tasks_.each_waiting(job, kind_, agent, Locality::node, most, add);
    if (racks.insert(agent.rack).second) tasks_.each_waiting(job, kind_, agent, Locality::rack, most, add);
  }
  if (!agents_.empty()) tasks_.each_waiting(job, kind_, agents_.front(), Locality::any, most, add);
}

void TaskGraph::add_waiting(JobId job, std::size_t number, const WaitingTask& task) {
  const auto waited = now_ - task.since;
  const auto moves = moving_cost(task.bytes);
  const bool prefers = !task.nodes.empty() || !task.racks.empty();
  SlotGraph::Task node{number, waiting_cost(waited)};
  for (const auto& agent : task.nodes) {
    if (const auto at = numbers_.find(agent); at != numbers_.end()) node.agents.push_back({at->second, 0});
  }
  for (const auto& rack : task.racks) {
    if (const auto at = rack_numbers_.find(rack); at != rack_numbers_.end()) {
      node.racks.push_back({at->second, moves});
    }
  }
  node.anywhere = prefers ? moves * core_cost_ : 0;
  graph_.tasks.push_back(std::move(node));
  entries_.push_back({job, task.id, waited, false});
}

void TaskGraph::add_running(const RunningTask& task) {
  const auto moved = moving_cost(task.bytes) * (task.locality == Locality::any ? core_cost_ : 1);
  const bool moves = task.preferred && task.locality != Locality::node;
  // The 1 makes the running task win a tie; otherwise tasks would be killed for nothing.
  const auto keeps = (moves ? moved : 0) - (now_ - task.launched).count() - 1;
  SlotGraph::Task node{job_numbers_.at(task.job), waiting_cost(task.waited)};
  node.agents.push_back({numbers_.at(task.agent), keeps});
  graph_.tasks.push_back(std::move(node));
  entries_.push_back({task.job, task.id, task.waited, true});
}

std::vector<TaskGraph::Placed> TaskGraph::placed() const {
  std::vector<Placed> placed;
  for (std::size_t t = 0; t < where_.size(); ++t) {
    const auto& entry = entries_[t];
    if (entry.running || !where_[t]) continue;
    const auto& node = graph_.tasks[t];
    const auto agent = *where_[t];
    const auto rack = graph_.agents[agent].rack;
    const auto leads_to = [](std::size_t to) {
      return [to](const SlotGraph::Arc& arc) { return arc.to == to; };
    };
    const bool here = std::any_of(node.agents.begin(), node.agents.end(), leads_to(agent));
    const bool near = std::any_of(node.racks.begin(), node.racks.end(), leads_to(rack));
    placed.push_back({entry.job, entry.id, agents_[agent].id,
                      here   ? Locality::node
                      : near ? Locality::rack
                             : Locality::any,
                      entry.waited});
  }
  return placed;
}

std::vector<TaskId> TaskGraph::displaced() const {
  std::vector<TaskId> displaced;
  for (std::size_t t = 0; t < where_.size(); ++t) {
    if (entries_[t].running && !where_[t]) displaced.push_back(entries_[t].id);
  }
  return displaced;
}

}  // namespace proffer::policies
