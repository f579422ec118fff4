// An assignment of tasks to slots as the cheapest flow through a graph: task -> agent, or its rack, or
// anywhere (X -> rack -> agent), or U of its job: the task waits. Isard et al., Quincy, SOSP 2009, §4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "proffer/flow/min_cost_flow.hpp"
#include "proffer/time.hpp"

namespace proffer {

// Costs as Quincy counts them, in kB moved.

/// The cost of a task that gets no slot: half a GB a second, and a little more than nothing in any case.
constexpr std::int64_t waiting_cost(Duration waited) { return waited.count() / 2 + 1; }
/// The cost of input that is moved once. Input of unknown size counts as 128 MB.
constexpr std::int64_t moving_cost(std::uint64_t bytes) {
  constexpr std::uint64_t kUsual = 128'000'000;
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  const auto moved = bytes == 0 ? kUsual : bytes < kMost ? bytes : kMost;
  return static_cast<std::int64_t>(moved / 1000);
}

/// Agents with slots, and jobs with tasks. Agents, racks and jobs are numbered from 0. The caller chooses the
/// unit of costs.
struct SlotGraph {
  struct Agent {
    std::size_t rack = 0;
    std::int64_t slots = 0;
  };
  /// Bounds on how many tasks of a job have a slot. The shortfall from `least` is as small as can be.
  struct Job {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  struct Arc {
    std::size_t to = 0;
    std::int64_t cost = 0;
  };
  struct Task {
    std::size_t job = 0;
    std::int64_t waits = 0;  ///< the cost of getting no slot
    std::vector<Arc> agents = {};
    std::vector<Arc> racks = {};
    std::optional<std::int64_t> anywhere = {};
  };

  std::vector<Agent> agents;
  std::size_t racks = 0;
  std::vector<Job> jobs;
  std::vector<Task> tasks;
};

/// Returns, by task, the agent where the task gets a slot; none: it waits.
std::vector<std::optional<std::size_t>> cheapest(const SlotGraph& graph);

/// Returns the network whose cheapest flow is the assignment.
FlowNetwork network_of(const SlotGraph& graph);

}  // namespace proffer
