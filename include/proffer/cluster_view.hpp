// The cluster as its allocator sees it at one moment, for those who look from within its process.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/messages/admin.hpp"
#include "proffer/resources.hpp"
#include "proffer/task_state.hpp"

namespace proffer {

/// What tasks of one framework use on one agent.
struct AgentUse {
  AgentId agent;
  FrameworkId framework;
  Resources used;
  std::uint64_t tasks = 0;
  bool operator==(const AgentUse&) const = default;
};

struct ClusterView {
  ClusterState state;                                  ///< what a DESCRIBE is answered with, on one page
  std::vector<AgentUse> uses;                          ///< in order of agent, then framework
  std::array<std::uint64_t, kTaskStates> living_in{};  ///< number of tasks that have not ended, by state
  bool operator==(const ClusterView&) const = default;
};

}  // namespace proffer
