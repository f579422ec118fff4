#include "agent/launch_rules.hpp"

#include <utility>

#include "proffer/limits.hpp"

namespace proffer::agent {
namespace {

LaunchRefusal rejected(TaskReason reason, std::string why) {
  return {TaskState::rejected, reason, std::move(why)};
}

}  // namespace

std::optional<LaunchRefusal> refuse_launch(const TaskRuns& runs, const LaunchHistory& history,
                                           const Health& health, const Launch& launch) {
  const TaskKey key{launch.framework, launch.task.id};
  if (history.knows(key)) {
    return rejected(TaskReason::duplicate_id, "a task of this id has been launched here before");
  }
  if (history.cancelled(key)) {
    return LaunchRefusal{TaskState::killed, TaskReason::kill_requested, "killed before it was started"};
  }
  // The names of task and framework become names of folders.
  if (!valid_task_id(launch.task.id.value)) return rejected(TaskReason::invalid, "its id breaks the rules");
  if (!valid_name(launch.framework_name)) {
    return rejected(TaskReason::invalid, "the name of its framework breaks the rules");
  }
  if (!launch.task.work) return rejected(TaskReason::invalid, "it does not say what to do");
  if (health.disk_full()) {
    return rejected(TaskReason::agent_disk, "the agent's disk takes no more tasks: " + health.trouble());
  }
  if (!health.trouble().empty()) {
    return rejected(TaskReason::agent_refused, "the agent is in trouble: " + health.trouble());
  }
  if (!runs.fits(launch.task.resources)) {
    return rejected(TaskReason::agent_refused, "the agent has fewer free slots than the task takes");
  }
  if (runs.all().size() >= limits::kTasksPerAgent) {
    return rejected(TaskReason::agent_refused, "the agent runs as many tasks as an agent may");
  }
  return {};
}

}  // namespace proffer::agent
