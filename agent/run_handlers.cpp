#include "agent/run_handlers.hpp"

#include <algorithm>

#include "agent/ending.hpp"
#include "proffer/limits.hpp"

namespace proffer::agent {
namespace {

TaskStatus status_of(const Run& run, TaskState state, TaskReason reason) {
  TaskStatus status;
  status.framework = run.key.framework;
  status.task = run.key.task;
  status.state = state;
  status.reason = reason;
  return status;
}

/// A run that somebody wanted to end was killed, however it went: nobody can tell a process that had done its
/// work from one that gave up in good order.
TaskStatus verdict(const Run& run, const RunExited& exited) {
  if (run.end_asked) return status_of(run, TaskState::killed, *run.end_asked);
  if (exited.fault) {
    const bool output = exited.fault->what == AgentFault::What::output;
    auto status =
        status_of(run, TaskState::failed, output ? TaskReason::output_lost : TaskReason::agent_failed);
    status.message = exited.fault->why.substr(0, limits::kTextBytes);
    return status;
  }
  if (!exited.spawn_error.empty()) {
    auto status = status_of(run, TaskState::failed, TaskReason::spawn_failed);
    status.message = exited.spawn_error.substr(0, limits::kTextBytes);
    return status;
  }
  if (exited.exit.signal != 0) {
    auto status = status_of(run, TaskState::failed, TaskReason::signal);
    status.message = "ended by signal " + std::to_string(exited.exit.signal);
    return status;
  }
  if (exited.exit.code == 0) return status_of(run, TaskState::finished, TaskReason::exit);
  auto status = status_of(run, TaskState::failed, TaskReason::exit);
  status.message = "exit code " + std::to_string(exited.exit.code);
  return status;
}

TaskStatus last_status(const Run& run, const RunExited& exited, Time now) {
  auto status = verdict(run, exited);
  if (!exited.remark.empty()) {
    status.message += (status.message.empty() ? "" : "; ") + exited.remark;
    status.message.resize(std::min(status.message.size(), limits::kTextBytes));
  }
  status.exit = exited.exit;
  if (run.began) status.run_time = now - *run.began;
  if (status.state != TaskState::killed) status.result = exited.result;
  return status;
}

void grant_permits(const Turn& turn) {
  for (const auto launch : turn.state.permits.grant()) {
    turn.trace(ComputeBegan{launch, turn.state.runs.find(launch)->key.task});
    turn.act(GrantCompute{launch});
  }
}

}  // namespace

void handle(const Turn& turn, const RunStarted& started) {
  auto& state = turn.state;
  auto* run = state.runs.find(started.launch);
  if (!run || !TaskRuns::begin(*run, turn.now)) return;
  state.health.started();
  turn.trace(RunBegan{run->launch, run->key.task});
  report(turn, run->launch, status_of(*run, TaskState::running, TaskReason::none));
}

void handle(const Turn& turn, const RunSaid& said) {
  const auto* run = turn.state.runs.find(said.launch);
  if (!run || !turn.state.allocator.session.open()) return;
  turn.to_allocator(TaskMessage{run->key.framework, run->key.task, said.payload});
}

void handle(const Turn& turn, const ComputeAsked& asked) {
  if (!turn.state.runs.find(asked.launch)) return;
  turn.state.permits.ask(asked.launch);
  grant_permits(turn);
}

// The permit of a run that has ended goes to the next before its end is told of: its slot may be used at
// once.
void handle(const Turn& turn, const RunExited& exited) {
  auto& state = turn.state;
  const auto run = state.runs.finish(exited.launch);
  if (!run) return;
  if (exited.fault) {
    state.health.failed(*exited.fault, turn.now);
  } else if (run->began) {
    state.health.kept();
  }
  state.permits.ended(exited.launch);
  grant_permits(turn);
  if (run->began) turn.trace(RunEnded{run->launch, run->key.task, exited.exit});
  report(turn, run->launch, last_status(*run, exited, turn.now));
}

}  // namespace proffer::agent
