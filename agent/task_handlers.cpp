#include "agent/task_handlers.hpp"

#include "agent/ending.hpp"
#include "agent/launch_rules.hpp"
#include "proffer/limits.hpp"

namespace proffer::agent {
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

// The launch is noted before it is acknowledged, so that it is started once; and acknowledged before its end
// is reported, so that the allocator knows of the launch that the status is of.
void handle(const Turn& turn, const MessageReceived&, const Launch& launch) {
  auto& state = turn.state;
  if (state.history.knows(launch.launch)) return turn.to_allocator(LaunchAck{launch.launch});
  // Ends are kept until they are acknowledged; a framework that does not should harm itself only. Without an
  // acknowledgement of its own the launch comes again.
  if (state.statuses.terminal_count(launch.framework) >= limits::kTasksPerAgent) {
    return turn.to_allocator(ErrorMessage{
        {ErrorCode::slow_down, "too many ended tasks of this framework wait for their acknowledgement"}, 0});
  }
  const auto refusal = refuse_launch(state.runs, state.history, state.health, launch);
  const TaskKey key{launch.framework, launch.task.id};
  state.history.note(launch.launch, key);
  turn.to_allocator(LaunchAck{launch.launch});
  if (refusal) return report(turn, launch.launch, refusal_status(launch, *refusal));
  state.runs.start({launch.launch, key, launch.task.resources});
  turn.act(StartRun{launch.launch, launch.framework, launch.framework_name, launch.task});
}

void handle(const Turn& turn, const MessageReceived&, const Kill& kill) {
  auto& state = turn.state;
  const TaskKey key{kill.framework, kill.task};
  if (auto* run = state.runs.find(key)) return ask_to_end(turn, *run, TaskReason::kill_requested, kill.grace);
  if (!state.history.knows(key)) state.history.cancel(key);
}

void handle(const Turn& turn, const MessageReceived&, const Acknowledge& acknowledge) {
  const TaskKey key{acknowledge.framework, acknowledge.task};
  const auto ended = turn.state.statuses.acknowledge(key, acknowledge.seq, turn.now);
  if (!ended) return;
  turn.state.history.settle(*ended);
  turn.act(SettleRun{*ended});
}

void handle(const Turn& turn, const MessageReceived&, const TaskMessage& message) {
  const auto* run = turn.state.runs.find(TaskKey{message.framework, message.task});
  if (run) turn.act(DeliverToRun{run->launch, message.payload});
}

void handle(const Turn& turn, const MessageReceived&, const MoreInputs& message) {
  const auto* run = turn.state.runs.find(TaskKey{message.framework, message.task});
  if (run) turn.act(DeliverInputs{run->launch, message});
}

void handle(const Turn& turn, const MessageReceived&, const Release& release) {
  turn.act(DropOutputs{release.framework, release.job});
}

}  // namespace proffer::agent
