// Which task goes to which slot, as the cheapest flow through a graph: task -> agent, or its rack, or
// anywhere (X -> rack -> agent), or U of its job: it waits. Isard et al., Quincy, SOSP 2009, §4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "proffer/flow/min_cost_flow.hpp"
#include "proffer/time.hpp"

namespace proffer {

// What Quincy counts as costs, in kB moved.

/// Of a task that gets no slot: half a GB a second, and a little more than nothing in any case.
constexpr std::int64_t waiting_cost(Duration waited) { return waited.count() / 2 + 1; }
/// Of input that is moved once. Where nobody said how much, it counts as 128 MB.
constexpr std::int64_t moving_cost(std::uint64_t bytes) {
  constexpr std::uint64_t kUsual = 128'000'000;
  constexpr std::uint64_t kMost = 1'000'000'000'000;
  const auto moved = bytes == 0 ? kUsual : bytes < kMost ? bytes : kMost;
  return static_cast<std::int64_t>(moved / 1000);
}

/// Agents, racks and jobs are numbered from 0. Costs are in a unit of the caller's.
struct SlotGraph {
  struct Agent {
    std::size_t rack = 0;
    std::int64_t slots = 0;
  };
  /// Bounds on how many of its tasks have a slot. What it has less than `least` is as little as can be.
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
    std::int64_t waits = 0;  ///< what it costs that it gets no slot
    std::vector<Arc> agents = {};
    std::vector<Arc> racks = {};
    std::optional<std::int64_t> anywhere = {};
  };

  std::vector<Agent> agents;
  std::size_t racks = 0;
  std::vector<Job> jobs;
  std::vector<Task> tasks;
};

/// By task: the agent where it gets a slot; none: it waits.
std::vector<std::optional<std::size_t>> cheapest(const SlotGraph& graph);

/// The network whose cheapest flow that is.
FlowNetwork network_of(const SlotGraph& graph);

}  // namespace proffer
