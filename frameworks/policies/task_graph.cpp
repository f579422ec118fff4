#include "frameworks/policies/task_graph.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer {
namespace {

/// Tasks that may wait for one release: those that it does not serve wait for what is released after it.
constexpr std::int64_t kAnyNumber = 1'000'000;

}  // namespace

std::size_t TaskGraph::rack_of(const std::string& name) {
  const auto [at, is_new] = rack_numbers_.try_emplace(name, graph_.racks);
  if (is_new) ++graph_.racks;
  return at->second;
}

void TaskGraph::add_slots(const AgentInfo& agent, std::int64_t slots) {
  auto& numbers = numbers_[agent.id];
  if (numbers.empty()) {
    numbers.push_back(places_.size());
    places_.push_back({agent});
    graph_.agents.push_back({rack_of(agent.rack), 0});
  }
  graph_.agents[numbers.front()].slots += slots;
  slots_ += slots;
}

void TaskGraph::add_release(AgentId agent, Duration in) {
  numbers_[agent].push_back(places_.size());
  places_.push_back({AgentInfo{agent, {}, {}, {}}, in, true});
  graph_.agents.push_back({0, kAnyNumber, true});
  ++slots_;
}

/// How many more tasks may come into the graph because they prefer that agent.
std::size_t TaskGraph::limit(AgentId agent, std::size_t most) const {
  if (costs_.per_slot == 0) return most;
  std::int64_t slots = 0;
  for (const auto number : numbers_.at(agent))
    slots += places_[number].later ? 1 : graph_.agents[number].slots;
  const auto all = costs_.per_slot * static_cast<std::size_t>(slots);
  const auto at = tasks_on_.find(agent);
  const auto used = at == tasks_on_.end() ? 0 : at->second;
  return std::min(most, all - std::min(all, used));
}

/// With `most` launches in all, one of the first `most` tasks that prefer a place is left whenever a later
/// one of them is placed there, and would do as well.
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
  auto others = most;
  if (costs_.per_slot > 0) others = std::min(most, costs_.per_slot);
  for (const auto& [id, numbers] : numbers_) {
    const auto& place = places_[numbers.front()];
    jobs_.each_waiting(job, kind_, place.agent, Locality::node, limit(id, most), add);
    if (place.later || !racks.insert(place.agent.rack).second) continue;
    jobs_.each_waiting(job, kind_, place.agent, Locality::rack, others, add);
  }
  if (!places_.empty()) jobs_.each_waiting(job, kind_, places_.front().agent, Locality::any, others, add);
}

void TaskGraph::add_waiting(JobId job, std::size_t number, const WaitingTask& task) {
  const auto waited = now_ - task.since;
  const auto moves = moving_cost(task.bytes);
  const bool prefers = !task.nodes.empty() || !task.racks.empty();
  const auto patience = costs_.horizon && prefers ? waiting_cost(*costs_.horizon) : 0;
  SlotGraph::Task node{number, waiting_cost(waited)};
  if (costs_.horizon) node.waits += patience + 2 * moves * costs_.core;
  for (const auto& agent : task.nodes) {
    const auto at = numbers_.find(agent);
    if (at == numbers_.end()) continue;
    ++tasks_on_[agent];
    for (const auto place : at->second) {
      const auto& there = places_[place];
      node.agents.push_back({place, there.later ? waiting_cost(there.in) : 0});
    }
  }
  for (const auto& rack : task.racks) {
    if (const auto at = rack_numbers_.find(rack); at != rack_numbers_.end()) {
      node.racks.push_back({at->second, patience + moves});
    }
  }
  node.anywhere = prefers ? patience + moves * costs_.core : 0;
  graph_.tasks.push_back(std::move(node));
  entries_.push_back({job, task.id, waited, false});
}

void TaskGraph::add_running(const RunningTask& task) {
  const auto moved = moving_cost(task.bytes) * (task.locality == Locality::any ? costs_.core : 1);
  const bool moves = task.preferred && task.locality != Locality::node;
  // Of a tie the task that runs has the better: it waits a little less than nothing.
  const auto keeps = (moves ? moved : 0) - (now_ - task.launched).count() - 1;
  SlotGraph::Task node{job_numbers_.at(task.job), waiting_cost(task.waited)};
  node.agents.push_back({numbers_.at(task.agent).front(), keeps});
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
    if (places_[agent].later) continue;
    const auto rack = graph_.agents[agent].rack;
    const auto leads_to = [](std::size_t to) {
      return [to](const SlotGraph::Arc& arc) { return arc.to == to; };
    };
    const bool here = std::any_of(node.agents.begin(), node.agents.end(), leads_to(agent));
    const bool near = std::any_of(node.racks.begin(), node.racks.end(), leads_to(rack));
    placed.push_back({entry.job, entry.id, places_[agent].agent.id,
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

}  // namespace proffer
