#include "agent/run_handlers.hpp"

#include <algorithm>

#include "agent/ending.hpp"
#include "proffer/limits.hpp"

namespace proffer::agent {
namespace {

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
  if (exited.ran)
    status.run_time = *exited.ran;
  else if (run.began)
    status.run_time = now - *run.began;
  if (status.state != TaskState::killed) status.result = exited.result;
  return status;
}

void grant_permits(const Turn& turn) {
  for (const auto launch : turn.state.permits.grant()) {
    turn.trace(ComputeBegan{launch, turn.state.runs.find(launch)->key.task});
    turn.act(GrantCompute{launch});
  }
}

/// Notes that a run has no process any more. Returns it, if somebody waits for its end.
std::optional<Run> end_run(const Turn& turn, LaunchId launch) {
  auto& state = turn.state;
  if (state.recovery.over(launch)) {
    turn.act(DropRecord{key_of(launch)});
    turn.act(SettleRun{launch});
  }
  auto run = state.runs.finish(launch);
  if (!run) return {};
  state.permits.ended(launch);
  grant_permits(turn);
  return run;
}

/// Returns the end of a run of which nothing is left: no process, and no word of how it ended. The world
/// names each run that was ever started in this boot of the host, so that one that was never heard of did not
/// run.
TaskStatus end_of_vanished(const Run& run, bool ran) {
  if (ran) {
    return status_of(run, TaskState::lost, TaskReason::agent_lost,
                     "its process has vanished while its agent was away, and nobody saw how it ended");
  }
  if (run.end_asked) {
    return status_of(run, TaskState::killed, *run.end_asked, "killed before it was started");
  }
  return status_of(run, TaskState::dropped, TaskReason::never_arrived,
                   "its agent ended before it had started it");
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
// once. A run that was seen to start in a former life was traced there.
void handle(const Turn& turn, const RunExited& exited) {
  auto& state = turn.state;
  const auto run = end_run(turn, exited.launch);
  if (!run) return;
  if (exited.fault) {
    state.health.failed(*exited.fault, turn.now);
  } else if (run->began) {
    state.health.kept();
  }
  if (state.history.at(run->launch).seq > 0) turn.trace(RunEnded{run->launch, run->key.task, exited.exit});
  report(turn, run->launch, last_status(*run, exited, turn.now));
}

void go_on(const Turn& turn, Run& run, Duration age) {
  if (TaskRuns::begin(run, turn.now - age) && turn.state.history.at(run.launch).seq == 0) {
    turn.trace(RunBegan{run.launch, run.key.task});
    report(turn, run.launch, status_of(run, TaskState::running, TaskReason::none));
  }
  if (!run.end_asked) return;
  run.kill_at = turn.now + turn.state.config.orphan_grace;
  turn.act(SignalRun{run.launch, RunSignal::terminate});
}

void vanish(const Turn& turn, LaunchId launch) {
  const auto run = end_run(turn, launch);
  if (!run) return;
  report(turn, launch, end_of_vanished(*run, turn.state.history.at(launch).seq > 0));
}

void perish(const Turn& turn, LaunchId launch) {
  const auto run = end_run(turn, launch);
  if (!run) return;
  report(turn, launch,
         status_of(*run, TaskState::lost, TaskReason::host_reboot, "the host of its agent was started anew"));
}

}  // namespace proffer::agent
