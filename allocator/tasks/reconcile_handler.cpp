#include "allocator/tasks/reconcile_handler.hpp"

#include <string>
#include <utility>
#include <vector>

#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

KnownTask describe(const State& state, const TaskRecord& task) {
  KnownTask known;
  known.task = task.id;
  if (task.agent) known.agent = state.cluster[*task.agent].info.id;
  if (!task.agent && task.owed) known.agent = task.owed->agent;
  known.state = task.state;
  known.resources = task.resources;
  known.job = task.job;
  return known;
}

KnownTask in_state(KnownTask answer, Known known, TaskState state = TaskState::pending) {
  answer.known = known;
  answer.state = state;
  return answer;
}

/// Judges a task of which there is no record. It may be on an agent that has not come back since the start,
/// and on no other: each agent lists what it has.
KnownTask judge_unrecorded(State& state, const TaskAt& asked) {
  KnownTask answer;
  answer.task = asked.task;
  answer.agent = asked.agent;
  if (state.cluster.is_retired(asked.agent)) return in_state(answer, Known::known, TaskState::gone);
  if (asked.agent == AgentId{}) {
    return in_state(answer, state.recovery.missing > 0 ? Known::awaited : Known::unknown);
  }
  const auto* agent = state.cluster.find(asked.agent);
  if (agent == nullptr || agent->past.back) return in_state(answer, Known::unknown);
  if (agent->past.awaited) return in_state(answer, Known::awaited);
  return in_state(answer, Known::known, TaskState::unreachable);
}

KnownTask answer_about(State& state, FrameworkRecord& framework, const TaskAt& asked) {
  const auto found = framework.tasks.find(asked.task.value);
  if (found != framework.tasks.end()) return describe(state, state.tasks[found->second]);
  auto answer = judge_unrecorded(state, asked);
  // From now on the framework takes it for ended: an ACCEPT of it that is still on its way, and an agent that
  // has it after all, must not prove that wrong.
  if (answer.known == Known::unknown) framework.ended.add(asked.task);
  return answer;
}

std::vector<KnownTask> answers(State& state, FrameworkRecord& framework, const Reconcile& message) {
  std::vector<KnownTask> all;
  for (const auto& asked : message.tasks) all.push_back(answer_about(state, framework, asked));
  if (!message.tasks.empty()) return all;
  for (const auto launch : framework.launches()) all.push_back(describe(state, state.tasks[launch]));
  return all;
}

void send_pages(const Turn& turn, FrameworkRecord& framework, std::uint64_t request,
                std::vector<KnownTask> all) {
  Reconciled page;
  page.request = request;
  page.complete = turn.state.recovery.missing == 0;
  page.last = false;
  for (auto& task : all) {
    if (page.tasks.size() == limits::kTasksPerAccept) {
      turn.to_framework(framework, page);
      page.tasks.clear();
    }
    page.tasks.push_back(std::move(task));
  }
  page.last = true;
  turn.to_framework(framework, std::move(page));
}

std::optional<Error> refuse(const Turn& turn, FrameworkRecord& framework, const Reconcile& message) {
  if (message.tasks.size() > limits::kTasksPerAccept) {
    return Error{ErrorCode::invalid,
                 "a RECONCILE names " + std::to_string(limits::kTasksPerAccept) + " tasks at most"};
  }
  for (const auto& asked : message.tasks) {
    if (!valid_task_id(asked.task.value)) return Error{ErrorCode::invalid, "a task's id breaks the rules"};
  }
  const auto cost = message.tasks.empty() ? framework.tasks.size() : message.tasks.size();
  if (framework.incumbent.reconciles.take(cost, turn.now)) return {};
  return Error{ErrorCode::slow_down, "too many RECONCILEs: ask again in a second"};
}

}  // namespace

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in,
            const Reconcile& message) {
  if (auto error = refuse(turn, framework, message)) return turn.refuse(in, std::move(*error));
  send_pages(turn, framework, message.request, answers(turn.state, framework, message));
}

}  // namespace proffer::allocator
