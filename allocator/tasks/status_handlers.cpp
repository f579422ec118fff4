#include "allocator/tasks/status_handlers.hpp"

#include <utility>

#include "allocator/state/ledger.hpp"
#include "allocator/tasks/adoption.hpp"
#include "allocator/tasks/task_handlers.hpp"

namespace proffer::allocator {
namespace {

void acknowledge(const Turn& turn, AgentRecord& agent, const TaskStatus& status) {
  turn.to_agent(agent, Acknowledge{status.framework, status.task, status.seq});
}

/// Answers a status of a task for which nobody waits: it has ended and all know, or its framework is gone.
void settle_stray(const Turn& turn, AgentRecord& agent, const Status& message) {
  const auto& status = message.status;
  acknowledge(turn, agent, status);
  if (!is_terminal(status.state)) {
    turn.to_agent(agent, Kill{status.framework, status.task, turn.state.config.kill_grace});
    return;
  }
  const auto stray = agent.strays.find(message.launch);
  if (stray == agent.strays.end()) return;
  turn.state.cluster.end_use(agent, stray->second.resources, turn.state.stamps.next());
  remove_task(agent.view.tasks, stray->second.hash);
  agent.strays.erase(stray);
  agent_changed(turn.state, agent);
}

/// Applies a state to the books; what the framework hears is the caller's affair.
void apply(const Turn& turn, FrameworkRecord& framework, TaskRecord& task, TaskStatus status) {
  turn.trace(TaskChanged{framework.id, task.id, status.agent, status.state, status.reason});
  const bool ends = is_terminal(status.state);
  turn.state.tasks.report(task, std::move(status), turn.now);
  if (!ends) return;
  end_use(turn.state, task);
}

/// Acknowledges in place of a framework that is gone, and forgets the task if it has ended.
void settle_removed(const Turn& turn, FrameworkRecord& framework, TaskRecord& task) {
  turn.state.tasks.acknowledged(task);
  if (!task.ended()) return;
  forget_task(turn.state, task);
  remove_if_over(turn, framework);
}

void apply_news(const Turn& turn, AgentRecord& agent, TaskRecord& task, const MessageReceived& in,
                TaskStatus status) {
  auto& framework = turn.state.frameworks[task.framework];
  if (!TaskTable::may_become(task, status.state)) {
    acknowledge(turn, agent, status);
    return turn.trace(MessageRefused{std::string(type_name(in.envelope.message)), ErrorCode::invalid,
                                     "a task that is " + std::string(to_string(task.state)) +
                                         " cannot become " + std::string(to_string(status.state))});
  }
  status.agent = agent.info.id;
  // The agent was told to kill it, not why: the reason is put right before the framework hears of it.
  if (task.preempted && status.state == TaskState::killed) status.reason = TaskReason::preempted;
  if (framework.failover.removed) {
    acknowledge(turn, agent, status);
    // The agent was only told to kill it, not why.
    if (status.reason == TaskReason::kill_requested) status.reason = TaskReason::framework_gone;
    apply(turn, framework, task, std::move(status));
    settle_removed(turn, framework, task);
  } else {
    apply(turn, framework, task, std::move(status));
    turn.to_framework(framework, Update{*task.owed});
  }
}

void answer_repeat(const Turn& turn, AgentRecord& agent, TaskRecord& task, const TaskStatus& status) {
  if (task.owed && task.owed_seq == status.seq) {
    turn.to_framework(turn.state.frameworks[task.framework], Update{*task.owed});
  } else {
    acknowledge(turn, agent, status);
  }
}

}  // namespace

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived&, const LaunchAck& ack) {
  auto* task = turn.state.tasks.find(ack.launch);
  if (task != nullptr && task->agent == agent.index) note_arrival(turn.state, *task);
}

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const Status& message) {
  const auto& status = message.status;
  if (turn.state.tasks.find(message.launch) == nullptr) adopt(turn, agent, message);
  auto* task = turn.state.tasks.find(message.launch);
  if (task == nullptr || task->agent != agent.index) return settle_stray(turn, agent, message);
  const auto& framework = turn.state.frameworks[task->framework];
  if (status.framework != framework.id || status.task != task->id || status.seq == 0) {
    return turn.refuse(in, {ErrorCode::invalid, "a status that does not belong to its launch"});
  }
  note_arrival(turn.state, *task);  // any status shows that the agent has the launch, an old one too
  if (status.seq <= task->seq) return answer_repeat(turn, agent, *task, status);
  apply_news(turn, agent, *task, in, status);
}

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived&, const TaskMessage& message) {
  auto* framework = turn.state.frameworks.find(message.framework);
  if (framework == nullptr) return;  // messages may be lost
  const auto found = framework->tasks.find(message.task.value);
  if (found == framework->tasks.end() || !agent.tasks.contains(found->second)) return;
  turn.to_framework(*framework, message);
}

void write_state(const Turn& turn, TaskRecord& task, TaskState state, TaskReason reason, std::string why) {
  auto& framework = turn.state.frameworks[task.framework];
  TaskStatus status;
  status.framework = framework.id;
  status.task = task.id;
  status.state = state;
  status.reason = reason;
  status.message = std::move(why);
  status.agent = turn.state.cluster[*task.agent].info.id;
  apply(turn, framework, task, std::move(status));
  if (framework.failover.removed) return settle_removed(turn, framework, task);
  turn.to_framework(framework, Update{*task.owed});
}

}  // namespace proffer::allocator
