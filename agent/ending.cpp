#include "agent/ending.hpp"

#include <algorithm>
#include <utility>

#include "agent/records.hpp"

namespace proffer::agent {

void ask_to_end(const Turn& turn, Run& run, TaskReason why, Duration grace) {
  const auto kill_at = turn.now + std::max(grace, Duration::zero());
  if (!TaskRuns::ask_to_end(run, why, kill_at)) return;
  keep(turn, run.launch);
  turn.act(SignalRun{run.launch, RunSignal::terminate});
}

void kill_overdue(const Turn& turn) {
  for (const auto launch : turn.state.runs.take_overdue(turn.now)) {
    turn.act(SignalRun{launch, RunSignal::kill});
  }
}

TaskStatus status_of(const Run& run, TaskState state, TaskReason reason, std::string why) {
  TaskStatus status;
  status.framework = run.key.framework;
  status.task = run.key.task;
  status.state = state;
  status.reason = reason;
  status.message = std::move(why);
  return status;
}

void report(const Turn& turn, LaunchId launch, TaskStatus status) {
  status.seq = turn.state.history.next_seq(launch);
  turn.state.statuses.push({launch, std::move(status)}, turn.now);
  keep(turn, launch);
}

void send_due_statuses(const Turn& turn) {
  auto& state = turn.state;
  if (!state.allocator.session.open()) return;
  for (auto& status : state.statuses.take_due(state.random, turn.now)) {
    status.status.agent = state.identity.id;
    turn.to_allocator(std::move(status));
  }
}

void report_slots(const Turn& turn) {
  auto& state = turn.state;
  if (!state.allocator.session.open() || !state.reports.take_due(turn.now)) return;
  turn.to_allocator(SlotReport{});
  state.statuses.hold_ends_until(*state.reports.next());
}

}  // namespace proffer::agent
