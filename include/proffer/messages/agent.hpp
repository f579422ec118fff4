// Messages between an agent and the allocator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/resources.hpp"
#include "proffer/task_state.hpp"

namespace proffer {

/// A task that a (re)registering agent still knows.
struct AgentTask {
  FrameworkId framework;
  TaskId task;
  LaunchId launch;
  TaskState state = TaskState::running;
  std::uint64_t seq = 0;  ///< seq of its newest status
  Resources resources;
  JobId job = {};
  bool operator==(const AgentTask&) const = default;
};

/// agent -> allocator. An empty id asks for a new one. `run` rises by 1 per start of the agent.
struct Register {
  AgentId agent;
  std::uint64_t run = 0;
  std::string name;
  std::string rack;
  std::string data_endpoint;
  Resources slots;
  std::vector<AgentTask> tasks;
  std::string trouble = {};  ///< the agent's trouble, as in AgentHealth
  Secret secret = {};        ///< secret of the agent's id; nil: any secret that the allocator gives
  std::string boot = {};     ///< the boot of its host; empty: not known
  bool operator==(const Register&) const = default;
};

/// allocator -> agent. Tasks in `kill` are unknown here or no longer wanted.
struct Registered {
  AgentId agent;
  Duration heartbeat{};
  std::string catalog_endpoint;
  std::vector<LaunchId> kill;
  Secret secret = {};             ///< secret of the id, with which the agent comes back
  std::uint64_t incarnation = 0;  ///< as in Subscribed
  /// The time between two SlotReports of the agent, which then holds ends of tasks back until its next one;
  /// 0: it tells of ends at once, and reports no slots.
  Duration report_period = {};
  bool operator==(const Registered&) const = default;
};

/// allocator -> agent. The agent starts at most one process per launch id, ever.
struct Launch {
  LaunchId launch;
  FrameworkId framework;
  std::string framework_name;  ///< the name for the task's environment and displays
  TaskSpec task;
  bool operator==(const Launch&) const = default;
};

/// agent -> allocator: the launch has arrived.
struct LaunchAck {
  LaunchId launch;
  bool operator==(const LaunchAck&) const = default;
};

/// agent -> allocator: a task's status; the agent re-sends it until ACKNOWLEDGE.
struct Status {
  LaunchId launch;
  TaskStatus status;
  bool operator==(const Status&) const = default;
};

/// agent -> allocator, every `report_period` of Registered, after the ends of tasks that were held back for
/// it: the slots that are free may be offered now (SEMANTICS §13).
struct SlotReport {
  bool operator==(const SlotReport&) const = default;
};

/// agent -> allocator, and the same back. `trouble` not empty: a sentence that says why the agent cannot
/// start runs, or not keep their output. The agent is then sent no runs until it says, with an empty
/// `trouble`, that it is well again.
struct AgentHealth {
  std::string trouble;
  bool operator==(const AgentHealth&) const = default;
};

}  // namespace proffer
