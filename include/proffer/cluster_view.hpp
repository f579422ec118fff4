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

/// A task that has not ended.
struct LivingTask {
  AgentId agent;
  FrameworkId framework;
  TaskId task;
  JobId job;  ///< a number of the framework's own; 0: the task is of no job
  TaskState state = TaskState::pending;
  Resources resources;
  bool operator==(const LivingTask&) const = default;
};

struct ClusterView {
  ClusterState state;             ///< what a DESCRIBE is answered with, on one page
  std::vector<AgentUse> uses;     ///< in order of agent, then framework
  std::vector<LivingTask> tasks;  ///< in order of launch, the newest first; as many as were asked for
  std::uint64_t living = 0;       ///< number of all tasks that have not ended
  std::array<std::uint64_t, kTaskStates> living_in{};  ///< the same, by state
  bool operator==(const ClusterView&) const = default;
};

}  // namespace proffer
