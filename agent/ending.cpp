#include "agent/ending.hpp"

#include <algorithm>

namespace proffer {

void ask_to_end(Run& run, TaskReason why, Duration grace, Turn turn) {
  const auto kill_at = turn.now + std::max(grace, Duration::zero());
  if (TaskRuns::ask_to_end(run, why, kill_at)) turn.act(SignalRun{run.launch, RunSignal::terminate});
}

void kill_overdue(AgentParts& state, Turn turn) {
  for (const auto launch : state.runs.take_overdue(turn.now)) turn.act(SignalRun{launch, RunSignal::kill});
}

void report(AgentParts& state, LaunchId launch, TaskStatus status, Turn turn) {
  status.seq = state.history.next_seq({status.framework, status.task});
  state.statuses.push({launch, std::move(status)}, turn.now);
}

void send_due_statuses(AgentParts& state, Turn turn) {
  if (!state.allocator.open()) return;
  for (auto& status : state.statuses.take_due(state.random, turn.now)) {
    status.status.agent = state.id;
    turn.to_allocator(state, std::move(status));
  }
}

}  // namespace proffer
