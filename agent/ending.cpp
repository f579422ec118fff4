#include "agent/ending.hpp"

#include <algorithm>

namespace proffer::agent {

void ask_to_end(const Turn& turn, Run& run, TaskReason why, Duration grace) {
  const auto kill_at = turn.now + std::max(grace, Duration::zero());
  if (TaskRuns::ask_to_end(run, why, kill_at)) turn.act(SignalRun{run.launch, RunSignal::terminate});
}

void kill_overdue(const Turn& turn) {
  for (const auto launch : turn.state.runs.take_overdue(turn.now)) {
    turn.act(SignalRun{launch, RunSignal::kill});
  }
}

void report(const Turn& turn, LaunchId launch, TaskStatus status) {
  status.seq = turn.state.history.next_seq({status.framework, status.task});
  turn.state.statuses.push({launch, std::move(status)}, turn.now);
}

void send_due_statuses(const Turn& turn) {
  auto& state = turn.state;
  if (!state.allocator.session.open()) return;
  for (auto& status : state.statuses.take_due(state.random, turn.now)) {
    status.status.agent = state.identity.id;
    turn.to_allocator(std::move(status));
  }
}

}  // namespace proffer::agent
