// The rules by which a launch becomes a run: pure verdicts.
#pragma once

#include <optional>
#include <string>

#include "agent/health.hpp"
#include "agent/launch_history.hpp"
#include "agent/task_runs.hpp"
#include "proffer/messages/agent.hpp"

namespace proffer::agent {

/// The end of a task that is not started.
struct LaunchRefusal {
  TaskState state = TaskState::rejected;
  TaskReason reason = TaskReason::none;
  std::string why;
};

/// Returns why a launch that is not known yet must not be started; none: it may.
std::optional<LaunchRefusal> refuse_launch(const TaskRuns& runs, const LaunchHistory& history,
                                           const Health& health, const Launch& launch);

}  // namespace proffer::agent
