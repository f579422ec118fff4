#include "allocator/tasks/task_handlers.hpp"

#include <utility>

#include "allocator/state/ledger.hpp"

namespace proffer::allocator {
namespace {

TaskRecord* find_task(const Turn& turn, const FrameworkRecord& framework, const TaskId& id) {
  const auto found = framework.tasks.find(id.value);
  return found == framework.tasks.end() ? nullptr : turn.state.tasks.find(found->second);
}

void to_agent_of(const Turn& turn, const TaskRecord& task, Message message) {
  if (task.agent) turn.to_agent(turn.state.cluster[*task.agent], std::move(message));
}

}  // namespace

void settle_owed(const Turn& turn, TaskRecord& task) {
  if (task.owed && !task.owes_own()) {
    const auto framework = turn.state.frameworks[task.framework].id;
    to_agent_of(turn, task, Acknowledge{framework, task.id, task.owed_seq});
  }
  turn.state.tasks.acknowledged(task);
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived&, const Acknowledge& ack) {
  auto* task = find_task(turn, framework, ack.task);
  if (task == nullptr || !task->owed || task->owed->seq != ack.seq) return;  // acknowledged before
  settle_owed(turn, *task);
  if (!task->ended()) return;
  framework.ended.add(task->id);  // while the record has the id, which must not be used again
  forget_task(turn.state, *task);
}

void kill(const Turn& turn, TaskRecord& task, Duration grace) {
  note_dying(turn.state, task);  // before it is wanted dead, which tells who was counted already
  turn.state.tasks.want_dead(task, grace, turn.now);
  const auto& framework = turn.state.frameworks[task.framework];
  to_agent_of(turn, task, Kill{framework.id, task.id, *task.kill});
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Kill& message) {
  auto* task = find_task(turn, framework, message.task);
  if (task != nullptr) {
    if (!task->ended()) kill(turn, *task, std::max(message.grace, Duration::zero()));
  } else if (!framework.ended.contains(message.task)) {
    turn.refuse(in,
                {ErrorCode::not_found, "no task '" + message.task.value + "' of this framework is known"});
  }
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived&,
            const TaskMessage& message) {
  const auto* task = find_task(turn, framework, message.task);
  if (task == nullptr || task->ended()) return;  // messages may be lost
  to_agent_of(turn, *task, TaskMessage{framework.id, message.task, message.payload});
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived&, const MoreInputs& message) {
  const auto* task = find_task(turn, framework, message.task);
  if (task == nullptr || task->ended()) return;  // the reduce asks again
  auto relayed = message;
  relayed.framework = framework.id;
  to_agent_of(turn, *task, std::move(relayed));
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived&, const Release& release) {
  if (release.job == JobId{}) return release_everywhere(turn, framework);
  const auto found = framework.ran_on.find(release.job);
  if (found == framework.ran_on.end()) return;
  auto& cluster = turn.state.cluster;
  for (const auto agent : found->second) {
    if (cluster.has(agent)) turn.to_agent(cluster[agent], Release{framework.id, release.job});
  }
  framework.ran_on.erase(found);
}

void release_everywhere(const Turn& turn, FrameworkRecord& framework) {
  framework.ran_on.clear();
  for (const auto& [id, index] : turn.state.cluster.in_order()) {
    turn.to_agent(turn.state.cluster[index], Release{framework.id, {}});
  }
}

void remove_if_over(const Turn& turn, FrameworkRecord& framework) {
  if (!framework.failover.removed || !framework.tasks.empty()) return;
  release_everywhere(turn, framework);  // while there is a record that has the framework's id
  forget_framework(turn.state, framework);
}

bool resend_one(const Turn& turn) {
  auto& state = turn.state;
  auto* task = state.tasks.pop_resend(turn.now);
  if (task == nullptr) return false;
  auto& framework = state.frameworks[task->framework];
  if (task->spec) to_agent_of(turn, *task, Launch{task->launch, framework.id, framework.name, *task->spec});
  if (task->kill && !task->ended()) to_agent_of(turn, *task, Kill{framework.id, task->id, *task->kill});
  if (task->repeats()) turn.update(framework, *task);
  state.tasks.sent_again(*task, turn.now);
  return true;
}

}  // namespace proffer::allocator
