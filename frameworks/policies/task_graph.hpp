// The graph of slots (slot_graph) for tasks of a framework: which of them matter, and what their arcs cost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/frameworks/policy.hpp"
#include "proffer/frameworks/slot_graph.hpp"

namespace proffer {

class TaskGraph {
 public:
  struct Bounds {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };

  /// `core_cost`: of what moves over the core, where a rack costs 1.
  TaskGraph(Kind kind, const Candidates& jobs, Time now, std::int64_t core_cost)
      : kind_(kind), jobs_(jobs), now_(now), core_cost_(core_cost) {}

  /// So many more slots on that agent, which tasks may have now.
  void add_slots(const AgentInfo& agent, std::int64_t slots);
  /// A job, and bounds on its tasks of the graph. Its unlaunched tasks come into it, as far as they matter:
  /// with so many that it may launch in all, of those that prefer a place never more than the first so many.
  /// After all slots.
  void add_job(JobId job, const Bounds& bounds);
  /// A task that runs, of a job that was added, on an agent that has a slot for it.
  void add_running(const RunningTask& task);

  void solve() { where_ = cheapest(graph_); }

  // Once it is solved.
  struct Placed {
    JobId job;
    TaskId task;
    AgentId agent;
    Locality locality = Locality::any;
    Duration waited{};
  };
  /// Unlaunched tasks that get a slot now.
  std::vector<Placed> placed() const;
  /// Tasks that run and get none.
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
  const Candidates& jobs_;
  Time now_;
  std::int64_t core_cost_;
  SlotGraph graph_;
  std::vector<AgentInfo> agents_;           // beside the graph's
  std::map<AgentId, std::size_t> numbers_;  // of them
  std::map<std::string, std::size_t> rack_numbers_;
  std::map<JobId, std::size_t> job_numbers_;
  std::int64_t slots_ = 0;
  std::vector<Entry> entries_;  // beside the graph's tasks
  std::vector<std::optional<std::size_t>> where_;
};

}  // namespace proffer
