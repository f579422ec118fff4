// The life of a task (RUNNING and the rest), and which changes are legal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace proffer {

enum class TaskState : std::uint8_t {
  pending = 0,      ///< accepted; not yet known to be on its agent
  starting = 1,     ///< the agent has it
  running = 2,      ///< the process runs
  killing = 3,      ///< asked to end
  unreachable = 4,  ///< the agent is silent; it may come back
  finished = 5,     ///< exit code 0
  failed = 6,       ///< exit code not 0, a signal, could not start, or failed by its agent
  killed = 7,       ///< ended because somebody asked
  rejected = 8,     ///< the accept was refused for this task, or its agent refused it
  dropped = 9,      ///< the offer was gone, or the agent never got the task
  lost = 10,        ///< proven dead with its agent
  gone = 11,        ///< the agent was declared gone by an operator
};
inline constexpr int kTaskStates = 12;

std::string_view to_string(TaskState state);
bool is_terminal(TaskState state);
/// Returns whether the table of legal transitions allows the change. Staying in a state is no transition.
bool can_become(TaskState from, TaskState to);

/// The reason for which a task is in its state.
enum class TaskReason : std::uint8_t {
  none = 0,
  exit = 1,            ///< ended by itself; see the exit code
  signal = 2,          ///< a signal that proffer did not send
  spawn_failed = 3,    ///< the process could not be started
  kill_requested = 4,  ///< asked for by its framework
  framework_gone = 5,  ///< the framework ended or was given up
  offer_gone = 6,      ///< the offer had been answered, rescinded or had expired
  too_large = 7,       ///< the task asks for more than is left of the offers it names
  invalid = 8,         ///< the task's description breaks a rule
  duplicate_id = 9,    ///< the framework has a task of that id
  agent_lost = 10,     ///< the agent is silent, restarted, or gone
  agent_refused = 11,  ///< the agent could not take it
  preempted = 12,
  agent_failed = 13,   ///< the agent could not start the task, or lost what ran it
  output_lost = 14,    ///< the agent could not keep the task's output
  host_reboot = 15,    ///< the host of its agent was started anew
  agent_gone = 16,     ///< an operator has declared its agent gone
  agent_disk = 17,     ///< the agent's disk is full
  never_arrived = 18,  ///< the launch was lost in a restart of the allocator or of its agent
  drained = 19,        ///< an operator has drained its agent
};
std::string_view to_string(TaskReason reason);
/// Returns whether the task ended because of its agent: such an end says nothing about the task, which may
/// well be run again elsewhere.
bool is_agents_fault(TaskReason reason);

/// The end of a process.
struct ExitStatus {
  std::int32_t code = 0;    ///< 0-255; meaningless when signal > 0
  std::int32_t signal = 0;  ///< 0: the process exited by itself
  bool operator==(const ExitStatus&) const = default;
};

}  // namespace proffer
