#include "frameworks/session/task_handlers.hpp"

#include <utility>
#include <vector>

#include "frameworks/session/records.hpp"
#include "frameworks/session/scheduler_calls.hpp"

namespace proffer::frameworks {
namespace {

/// Acknowledges a status, unless the scheduler holds it. One that is held is sent by the allocator again,
/// perhaps by another one and under another number.
void acknowledge(const Turn& turn, const TaskStatus& status) {
  auto& held = turn.state.owed.acknowledgements;
  if (const auto later = held.find(status.task); later != held.end()) {
    later->second = status.seq;
  } else {
    turn.to_allocator(Acknowledge{turn.state.identity.id, status.task, status.seq});
  }
}

/// Tells the scheduler a status. Its notes are kept; what else it asks for is returned.
std::vector<Driver::Call> tell(const Turn& turn, const TaskStatus& status) {
  auto calls = calls_of(turn, [&](Driver& driver) { turn.state.scheduler.status_update(driver, status); });
  keep_notes(turn, calls);
  return calls;
}

}  // namespace

// Notes come first and the task's record second: a process that comes back between the two hears the status
// once more, where in the other order it would never have heard of it. The acknowledgement is behind both,
// for the same reason; but before what else the scheduler asks for, which may be to tear the framework down.
void handle(const Turn& turn, const MessageReceived&, const Update& update) {
  auto& state = turn.state;
  const auto& status = update.status;
  if (status.framework != state.identity.id) return;
  // This allocator has the task, and tells of its end by an UPDATE. Of one that is unreachable it may never
  // have more to say; see Reconciled.
  if (status.state != TaskState::unreachable) state.views.open.settled(status.task);
  const auto news = state.tasks.judge(status);
  std::vector<Driver::Call> calls;
  if (is_terminal(status.state)) state.kills.ended(status.task);
  if (news == TaskLedger::News::fresh) {
    state.tasks.note(status, turn.now);
    calls = tell(turn, status);
  } else if (news == TaskLedger::News::repeat) {
    state.tasks.note_repeat(status);
  } else {
    // Once: should it be lost, or the task's end, RECONCILE finds whether there is still one to kill.
    turn.to_allocator(Kill{state.identity.id, status.task, Duration::zero()});
  }
  for (const auto& call : calls) {
    const auto* hold = std::get_if<Driver::HoldCall>(&call);
    if (hold != nullptr) state.owed.acknowledgements[hold->task] = status.seq;
  }
  if (news == TaskLedger::News::fresh) keep_task(turn, status.task);
  acknowledge(turn, status);
  carry_out(turn, std::move(calls));
}

/// Tasks that are being killed anyway are not asked about: their slots count as well when they end.
void handle(const Turn& turn, const MessageReceived&, const Preempt& preempt) {
  auto& state = turn.state;
  for (const auto& [kind, slots] : preempt.slots) {
    auto running = state.tasks.newest_first(kind);
    std::erase_if(running, [&](const HeldTask& one) { return state.kills.wanted(one.task); });
    std::vector<TaskId> victims;
    const auto choose = [&, of = kind, n = slots](Driver& driver) {
      victims = state.scheduler.choose_victims(driver, of, n, running);
    };
    auto calls = calls_of(turn, choose);
    for (const auto& victim : victims) {
      calls.push_back(Kill{state.identity.id, victim, preempt.within / 2});
    }
    carry_out(turn, std::move(calls));
  }
}

void handle(const Turn& turn, const MessageReceived&, const TaskMessage& message) {
  auto& state = turn.state;
  if (message.framework != state.identity.id || !state.tasks.current(message.task)) return;
  call_scheduler(turn,
                 [&](Driver& driver) { state.scheduler.task_said(driver, message.task, message.payload); });
}

void deliver(const Turn& turn, const TaskStatus& status) {
  auto calls = tell(turn, status);
  keep_task(turn, status.task);
  carry_out(turn, std::move(calls));
}

void report_end(const Turn& turn, const TaskId& task, TaskState end, TaskReason reason,
                const std::string& why) {
  auto& state = turn.state;
  TaskStatus status;
  status.framework = state.identity.id;
  status.task = task;
  status.state = end;
  status.reason = reason;
  status.message = why;
  status.agent = state.tasks.agent(task);
  const bool never_ran = end == TaskState::rejected || end == TaskState::dropped;
  state.tasks.end(task, end, never_ran, turn.now);
  state.kills.ended(task);
  state.owed.ends.push_back(std::move(status));
}

void deliver_ends(const Turn& turn) {
  auto& state = turn.state;
  while (!state.owed.ends.empty() && !state.finished()) {
    const auto status = std::move(state.owed.ends.front());
    state.owed.ends.pop_front();
    deliver(turn, status);
  }
}

void send_due_kills(const Turn& turn) {
  for (const auto* kill : turn.state.kills.take_due(turn.now)) turn.to_allocator(*kill);
}

}  // namespace proffer::frameworks
