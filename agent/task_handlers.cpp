#include "agent/task_handlers.hpp"

#include "agent/ending.hpp"
#include "agent/launch_rules.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

TaskStatus refusal_status(const Launch& launch, const LaunchRefusal& refusal) {
  TaskStatus status;
  status.framework = launch.framework;
  status.task = launch.task.id;
  status.state = refusal.state;
  status.reason = refusal.reason;
  status.message = refusal.why;
  return status;
}

}  // namespace

void handle(AgentParts& state, const Launch& launch, Turn turn) {
  if (state.history.knows(launch.launch)) return turn.to_allocator(state, LaunchAck{launch.launch});
  // Ends are kept until they are acknowledged; a framework that does not should harm itself only
  // (docs/PROTOCOL.md, ACKNOWLEDGE). Without an acknowledgement of its own the launch comes again.
  if (state.statuses.terminal_count(launch.framework) >= limits::kTasksPerAgent) {
    return turn.to_allocator(
        state, ErrorMessage{{ErrorCode::slow_down,
                             "too many ended tasks of this framework wait for their acknowledgement"},
                            0});
  }
  const auto refusal = refuse_launch(state.runs, state.history, state.health, launch);
  const TaskKey key{launch.framework, launch.task.id};
  state.history.note(launch.launch, key);
  turn.to_allocator(state, LaunchAck{launch.launch});
  if (refusal) return report(state, launch.launch, refusal_status(launch, *refusal), turn);
  state.runs.start({launch.launch, key, launch.task.resources});
  turn.act(StartRun{launch.launch, launch.framework, launch.framework_name, launch.task});
}

void handle(AgentParts& state, const Kill& kill, Turn turn) {
  const TaskKey key{kill.framework, kill.task};
  if (auto* run = state.runs.find(key)) return ask_to_end(*run, TaskReason::kill_requested, kill.grace, turn);
  if (!state.history.knows(key)) state.history.cancel(key);
}

void handle(AgentParts& state, const Acknowledge& acknowledge, Turn turn) {
  const TaskKey key{acknowledge.framework, acknowledge.task};
  const auto ended = state.statuses.acknowledge(key, acknowledge.seq, turn.now);
  if (!ended) return;
  state.history.settle(*ended);
  turn.act(SettleRun{*ended});
}

void handle(AgentParts& state, const TaskMessage& message, Turn turn) {
  const auto* run = state.runs.find(TaskKey{message.framework, message.task});
  if (run) turn.act(DeliverToRun{run->launch, message.payload});
}

void handle(AgentParts& state, const MoreInputs& message, Turn turn) {
  const auto* run = state.runs.find(TaskKey{message.framework, message.task});
  if (run) turn.act(DeliverInputs{run->launch, message});
}

void handle(AgentParts&, const Release& release, Turn turn) {
  turn.act(DropOutputs{release.framework, release.job});
}

}  // namespace proffer
