// Whether a launch may become a run: pure verdicts.
#pragma once

#include <optional>
#include <string>

#include "agent/health.hpp"
#include "agent/launch_history.hpp"
#include "agent/task_runs.hpp"
#include "proffer/messages/agent.hpp"

namespace proffer {

/// How a task ends that is not started.
struct LaunchRefusal {
  TaskState state = TaskState::rejected;
  TaskReason reason = TaskReason::none;
  std::string why;
};

/// None: start it. To be asked about launches that are not known.
std::optional<LaunchRefusal> refuse_launch(const TaskRuns& runs, const LaunchHistory& history,
                                           const Health& health, const Launch& launch);

}  // namespace proffer
