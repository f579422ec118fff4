// What becomes of each task of an ACCEPT. Pure: verdicts only, nothing is changed.
#pragma once

#include <functional>
#include <vector>

#include "proffer/messages/framework.hpp"

namespace proffer::allocator {

/// What the accept is judged against.
struct AcceptGround {
  Resources available;                       ///< what the live offers that it names hold together
  bool any_dead = false;                     ///< it names offers that are not outstanding, or somebody else's
  bool one_agent = true;                     ///< its live offers are of one agent
  std::size_t room = 0;                      ///< how many more tasks it may have there
  std::function<bool(const TaskId&)> known;  ///< the framework has, or had, a task of that id
};

/// One verdict a task, in order. A dead offer counts as nothing, so what does not fit was dropped with it; if
/// all offers live, it asked for too much.
std::vector<AcceptVerdict> judge_accept(const std::vector<TaskSpec>& tasks, const AcceptGround& ground);

}  // namespace proffer::allocator
