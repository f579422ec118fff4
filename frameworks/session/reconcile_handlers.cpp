#include "frameworks/session/reconcile_handlers.hpp"

#include <utility>

#include "frameworks/session/records.hpp"
#include "frameworks/session/scheduler_calls.hpp"
#include "frameworks/session/task_handlers.hpp"

namespace proffer::frameworks {
namespace {

/// Kills a task that the allocator knows and nobody here has asked for, or whose end was reported. Should the
/// KILL be lost, the digests go on differing.
void kill_foreign(const Turn& turn, const TaskId& task) {
  turn.to_allocator(Kill{turn.state.identity.id, task, Duration::zero()});
}

/// Tells a state for which no UPDATE will come: that allocator has not seen the task itself.
void tell_state(const Turn& turn, const KnownTask& known) {
  auto& state = turn.state;
  if (!state.tasks.move(known.task, known.state)) return;
  TaskStatus status;
  status.framework = state.identity.id;
  status.task = known.task;
  status.seq = state.tasks.kept(known.task).seq;
  status.state = known.state;
  if (known.state == TaskState::unreachable) status.reason = TaskReason::agent_lost;
  status.agent = known.agent;
  deliver(turn, status);
}

/// The task's agent is here without it, and will not get it. One that is known to have run there once has
/// vanished.
void never_arrived(const Turn& turn, const TaskId& task) {
  if (turn.state.tasks.state(task) == TaskState::pending) {
    report_end(turn, task, TaskState::dropped, TaskReason::never_arrived,
               "its launch was lost in a restart of the allocator");
  } else {
    report_end(turn, task, TaskState::lost, TaskReason::agent_lost, "its agent does not have it any more");
  }
}

/// The ends of processes are told by UPDATE, with all that belongs to them; those that follow from an
/// operator's word may be told here alone.
void settle(const Turn& turn, const KnownTask& known) {
  auto& tasks = turn.state.tasks;
  if (known.known == Known::unknown) return never_arrived(turn, known.task);
  tasks.confirm(known.task);
  if (known.state == TaskState::gone) {
    return report_end(turn, known.task, TaskState::gone, TaskReason::agent_gone,
                      "an operator has declared its agent gone");
  }
  if (!is_terminal(known.state)) tell_state(turn, known);
}

}  // namespace

void handle(const Turn& turn, const MessageReceived&, const Heartbeat& beat) {
  auto& state = turn.state;
  auto& views = state.views;
  if (!beat.tasks) return;
  if (!views.watch.differs(state.tasks.digest(), *beat.tasks, turn.now)) return;
  auto tasks = state.tasks.all_current();
  std::erase_if(tasks, [&](const TaskId& task) { return state.tasks.asked(task); });
  views.open.want(tasks, turn.now);
  views.open.want_all(turn.now);
}

// A task whose ACCEPT is open gets its verdict with ACCEPTED.
void handle(const Turn& turn, const MessageReceived&, const Reconciled& page) {
  auto& state = turn.state;
  for (const auto& known : page.tasks) {
    if (known.known == Known::awaited || state.tasks.asked(known.task)) continue;
    // Nobody may ever say more of a task that is unreachable: a later life of the allocator does not miss it
    // when its agent comes back without it. So it is asked about until the agent is back.
    if (known.state != TaskState::unreachable) state.views.open.settled(known.task);
    if (state.tasks.current(known.task)) {
      settle(turn, known);
    } else if (known.known == Known::known && !is_terminal(known.state)) {
      kill_foreign(turn, known.task);
    }
  }
  state.views.open.received(page);
}

void forget_accepts(const Turn& turn) {
  auto& state = turn.state;
  for (const auto& [number, open] : state.accepts.all()) {
    for (const auto& task : open.accept.tasks) {
      if (state.tasks.asked(task.id)) state.tasks.doubt(task.id);
    }
  }
  state.accepts.clear();
}

void doubt_all(const Turn& turn) {
  auto& state = turn.state;
  forget_accepts(turn);
  state.views.open.clear();
  state.views.open.want(state.tasks.all_current(), turn.now);
  if (state.views.foreign_tasks) state.views.open.want_all(turn.now);
}

void send_due_questions(const Turn& turn) {
  for (auto& request : turn.state.views.open.take_due(turn.state.tasks, turn.now)) {
    turn.to_allocator(std::move(request));
  }
}

}  // namespace proffer::frameworks
