// The rule that judges each task of an ACCEPT. Pure: it returns verdicts, and changes nothing.
#pragma once

#include <functional>
#include <vector>

#include "proffer/messages/framework.hpp"

namespace proffer::allocator {

/// The facts that an accept is judged by.
struct AcceptGround {
  Resources available;                       ///< the slots of the live offers that it names, together
  bool any_dead = false;                     ///< some offer that it names is not outstanding, or is another's
  bool one_agent = true;                     ///< all its live offers are of one agent
  std::size_t room = 0;                      ///< tasks that the agent may take on for the framework
  std::function<bool(const TaskId&)> known;  ///< returns whether the framework has, or had, a task of that id
};

/// Returns one verdict a task, in order. A dead offer holds nothing: a task that does not fit was DROPPED
/// with it. If all offers live, such a task asked for too much and is REJECTED.
std::vector<AcceptVerdict> judge_accept(const std::vector<TaskSpec>& tasks, const AcceptGround& ground);

}  // namespace proffer::allocator
