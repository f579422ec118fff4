// The graph of slots (slot_graph) for the tasks of a framework that matter, with the costs of their arcs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/frameworks/slot_graph.hpp"

namespace proffer::policies {

class TaskGraph {
 public:
  struct Bounds {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };

  /// `core_cost`: the cost of moving over the core, where within a rack it is 1.
  TaskGraph(Kind kind, const TaskView& tasks, Time now, std::int64_t core_cost)
      : kind_(kind), tasks_(tasks), now_(now), core_cost_(core_cost) {}

  /// Adds slots on that agent, which tasks may have now.
  void add_slots(const AgentInfo& agent, std::int64_t slots);
  /// Adds a job, with bounds on its tasks in the graph, after all slots. Its unlaunched tasks come in as far
  /// as they matter: of those that prefer a place, only as many of the first as the job may launch in all.
  void add_job(JobId job, const Bounds& bounds);
  /// Adds a running task of a job that was added, on an agent that has a slot for it.
  void add_running(const RunningTask& task);

  void solve() { where_ = cheapest(graph_); }

  // The answers, after solve().
  struct Placed {
    JobId job;
    TaskId task;
    AgentId agent;
    Locality locality = Locality::any;
    Duration waited{};
  };
  /// Unlaunched tasks that get a slot now.
  std::vector<Placed> placed() const;
  /// Running tasks that get no slot.
  std::vector<TaskId> displaced() const;

 private:
  struct Entry {
    JobId job;
    TaskId id;
    Duration waited{};
    bool running = false;
  };
  std::size_t rack_of(const std::string& name);
  void add_waiting(JobId job, std::size_t number, const WaitingTask& task);

  Kind kind_;
  const TaskView& tasks_;
  Time now_;
  std::int64_t core_cost_;
  SlotGraph graph_;
  std::vector<AgentInfo> agents_;           // ordered as the graph's
  std::map<AgentId, std::size_t> numbers_;  // places in `agents_`
  std::map<std::string, std::size_t> rack_numbers_;
  std::map<JobId, std::size_t> job_numbers_;
  std::int64_t slots_ = 0;
  std::vector<Entry> entries_;  // ordered as the graph's tasks
  std::vector<std::optional<std::size_t>> where_;
};

}  // namespace proffer::policies
