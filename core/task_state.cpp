#include "proffer/task_state.hpp"

#include <array>

namespace proffer {
namespace {

constexpr std::uint16_t bit(TaskState state) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(state));
}

template <class... States>
constexpr std::uint16_t any_of(States... states) {
  return static_cast<std::uint16_t>((bit(states) | ...));
}

using enum TaskState;
constexpr std::uint16_t kEnds = any_of(finished, failed, killed, lost, gone);

template <class... States>
constexpr std::uint16_t ends_or(States... states) {
  return static_cast<std::uint16_t>(any_of(states...) | kEnds);
}

// The table of legal transitions. Row: the state that a task is in; bits: the states that it may change to. A
// terminal state changes to nothing.
// clang-format off
constexpr std::array<std::uint16_t, kTaskStates> kTransitions{
    /* pending     */ ends_or(starting, running, killing, unreachable, rejected, dropped),
    /* starting    */ ends_or(running, killing, unreachable, rejected, dropped),
    /* running     */ ends_or(killing, unreachable),
    /* killing     */ ends_or(unreachable, rejected, dropped),
    /* unreachable */ ends_or(pending, starting, running, killing, dropped),
    /* finished    */ 0,
    /* failed      */ 0,
    /* killed      */ 0,
    /* rejected    */ 0,
    /* dropped     */ 0,
    /* lost        */ 0,
    /* gone        */ 0};
// clang-format on

}  // namespace

bool is_terminal(TaskState state) { return kTransitions[static_cast<std::size_t>(state)] == 0; }

bool is_agents_fault(TaskReason reason) {
  return reason == TaskReason::agent_refused || reason == TaskReason::agent_failed ||
         reason == TaskReason::output_lost || reason == TaskReason::host_reboot ||
         reason == TaskReason::agent_gone || reason == TaskReason::agent_disk ||
         reason == TaskReason::never_arrived || reason == TaskReason::drained;
}

bool can_become(TaskState from, TaskState to) {
  return (kTransitions[static_cast<std::size_t>(from)] & bit(to)) != 0;
}

}  // namespace proffer
