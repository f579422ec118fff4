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

// Row: from; bits: what it may become. A terminal state becomes nothing.
constexpr std::array<std::uint16_t, kTaskStates> kTransitions{
    /* pending     */ static_cast<std::uint16_t>(
        any_of(starting, running, killing, unreachable, rejected, dropped) | kEnds),
    /* starting    */
    static_cast<std::uint16_t>(any_of(running, killing, unreachable, rejected, dropped) | kEnds),
    /* running     */ static_cast<std::uint16_t>(any_of(killing, unreachable) | kEnds),
    /* killing     */ static_cast<std::uint16_t>(any_of(unreachable, rejected, dropped) | kEnds),
    /* unreachable */
    static_cast<std::uint16_t>(any_of(pending, starting, running, killing, dropped) | kEnds), 0, 0, 0, 0, 0,
    0, 0};

}  // namespace

bool is_terminal(TaskState state) { return kTransitions[static_cast<std::size_t>(state)] == 0; }

bool is_agents_fault(TaskReason reason) {
  return reason == TaskReason::agent_refused || reason == TaskReason::agent_failed ||
         reason == TaskReason::output_lost;
}

bool can_become(TaskState from, TaskState to) {
  return (kTransitions[static_cast<std::size_t>(from)] & bit(to)) != 0;
}

}  // namespace proffer
