#include "agent/task_handlers.hpp"

#include "agent/ending.hpp"
#include "agent/launch_rules.hpp"
#include "agent/records.hpp"
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

// The launch is kept before it is acknowledged and before it is started: with the records of before, a new
// life of this agent would start it a second time, or not know what runs. It is acknowledged before its end
// is sent, so that the allocator knows of the launch that the status is of.
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
  state.history.note(launch.launch, key, launch.task.job);
  if (refusal) {
    report(turn, launch.launch, refusal_status(launch, *refusal));
    return turn.to_allocator(LaunchAck{launch.launch});
  }
  state.runs.start({launch.launch, key, launch.task.resources});
  keep(turn, launch.launch);
  turn.to_allocator(LaunchAck{launch.launch});
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
  auto& state = turn.state;
  const auto done = state.statuses.acknowledge(key, acknowledge.seq, turn.now);
  if (!done) return;
  const bool ends = is_terminal(done->status.state);
  if (ends) state.history.settle(done->launch);
  keep(turn, done->launch);
  if (!ends) return;
  drop_oldest(turn);
  turn.act(SettleRun{done->launch});
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
