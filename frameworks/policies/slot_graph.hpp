// Which task goes to which slot, as the cheapest flow through a graph: task -> agent, or its rack, or
// anywhere (X -> rack -> agent), or U of its job: it waits. Isard et al., Quincy, SOSP 2009, §4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace proffer {

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

}  // namespace proffer
