#include "allocator/tasks/adoption.hpp"

#include "allocator/state/ledger.hpp"
#include "allocator/tasks/status_handlers.hpp"
#include "allocator/tasks/task_handlers.hpp"

namespace proffer::allocator {
namespace {

/// Writes off a task that the agent does not list. If the agent never said that it has the launch, it never
/// will: it does not take launches of an older session. If it did say so, it has kept the launch since before
/// it did: what its list leaves out has ended, and nothing of it is left.
void miss(const Turn& turn, TaskRecord& task) {
  const bool never_there = task.spec.has_value();
  write_state(turn, task, never_there ? TaskState::dropped : TaskState::lost, TaskReason::agent_lost,
              never_there ? "the agent never got it" : "the agent does not know it any more");
}

/// Takes up a task that the agent lists as living.
void find_again(const Turn& turn, TaskRecord& task, TaskState listed) {
  note_arrival(turn.state, task);
  if (task.state == TaskState::unreachable) {
    write_state(turn, task, listed, TaskReason::none, "its agent is back");
  }
  if (task.kill) kill(turn, task, *task.kill);
}

}  // namespace

Listed list(const Register& message) {
  Listed listed;
  for (const auto& task : message.tasks) listed[task.launch] = &task;
  return listed;
}

bool is_adopted(const State& state, const AgentTask& listed) {
  if (!state.tasks.is_former(listed.launch) || state.tasks.find(listed.launch) != nullptr) return false;
  const auto* framework = state.frameworks.find(listed.framework);
  if (framework == nullptr || framework->failover.removed) return false;
  return !framework->tasks.contains(listed.task.value) && !framework->ended.contains(listed.task);
}

void adopt(const Turn& turn, AgentRecord& agent, const Listed& listed, bool unreachable) {
  auto& state = turn.state;
  for (const auto& [launch, task] : listed) {
    if (!is_adopted(state, *task)) continue;
    // The slots of the tasks so far are taken from the shares first, and come back with those of this one.
    discount(state, agent);
    auto& adopted = state.tasks.adopt(state.frameworks.find(task->framework)->index, agent.index, *task);
    if (unreachable) adopted.state = TaskState::unreachable;
    enlist_task(state, adopted);
    // Event logs cannot know otherwise which of the former life's tasks are still there.
    if (!unreachable && !adopted.ended()) {
      turn.trace(TaskChanged{task->framework, task->task, agent.info.id, adopted.state, TaskReason::none});
    }
  }
}

void adopt(const Turn& turn, AgentRecord& agent, const Status& message) {
  auto& state = turn.state;
  AgentTask named;
  named.framework = message.status.framework;
  named.task = message.status.task;
  named.launch = message.launch;
  if (!valid_task_id(named.task.value) || agent.strays.contains(message.launch) || !is_adopted(state, named))
    return;
  auto& adopted = state.tasks.adopt(state.frameworks.find(named.framework)->index, agent.index, named);
  enlist_task(state, adopted);
  add_task(agent.view.tasks, hash_of_task(named.framework, named.task));
}

void sort_out_strays(const State& state, AgentRecord& agent, const Listed& listed) {
  agent.to_kill.clear();
  agent.strays.clear();
  for (const auto& [launch, task] : listed) {
    if (is_terminal(task->state)) continue;
    const auto* known = state.tasks.find(launch);
    if (known != nullptr && known->agent == agent.index && !known->ended()) continue;
    agent.to_kill.push_back(launch);
    agent.strays[launch] = {task->resources, hash_of_task(task->framework, task->task)};
  }
}

void reconcile(const Turn& turn, AgentRecord& agent, const Listed& listed) {
  const auto believed = agent.tasks;
  for (const auto launch : believed) {
    auto* task = turn.state.tasks.find(launch);
    if (task == nullptr || task->ended()) continue;
    const auto found = listed.find(launch);
    if (found == listed.end()) {
      miss(turn, *task);
    } else if (!is_terminal(found->second->state)) {
      find_again(turn, *task, found->second->state);
    } else {
      note_arrival(turn.state, *task);  // its end is on the way
    }
  }
}

}  // namespace proffer::allocator
