// UPDATE and ACKNOWLEDGE, messages of tasks, kills, PREEMPT.
#include <utility>

#include "frameworks/session/framework_impl.hpp"

namespace proffer {

void Framework::Impl::on_update(const TaskStatus& status, Turn turn) {
  if (status.framework != id) return;
  const auto news = tasks.judge(status);
  std::vector<Driver::Call> calls;
  if (is_terminal(status.state)) kills.ended(status.task);
  if (news == TaskLedger::News::fresh) {
    tasks.note(status, turn.now);
    calls = calls_of([&](Driver& driver) { scheduler.status_update(driver, status); }, turn);
  } else if (news == TaskLedger::News::undead) {
    kills.want({id, status.task, Duration::zero()}, turn.now);
    send(Kill{id, status.task, Duration::zero()}, turn);
  }
  for (const auto& call : calls) {
    if (const auto* hold = std::get_if<Driver::HoldCall>(&call)) held[hold->task] = status.seq;
  }
  // Handled: before what the handler asked for, which may be to tear the framework down. What is held is
  // sent by the allocator again, perhaps by another one and under another number.
  if (const auto later = held.find(status.task); later != held.end()) {
    later->second = status.seq;
  } else {
    send(Acknowledge{id, status.task, status.seq}, turn);
  }
  take(std::move(calls), turn);
}

/// Tasks that are being killed anyway are not asked about: their slots count as well when they end.
void Framework::Impl::on_preempt(const Preempt& preempt, Turn turn) {
  for (const auto& [kind, slots] : preempt.slots) {
    auto running = tasks.newest_first(kind);
    std::erase_if(running, [this](const HeldTask& one) { return kills.wanted(one.task); });
    std::vector<TaskId> victims;
    const auto choose = [&, of = kind, n = slots](Driver& driver) {
      victims = scheduler.choose_victims(driver, of, n, running);
    };
    auto calls = calls_of(choose, turn);
    for (const auto& victim : victims) calls.push_back(Kill{id, victim, preempt.within / 2});
    take(std::move(calls), turn);
  }
}

void Framework::Impl::on_task_message(const TaskMessage& message, Turn turn) {
  if (message.framework != id || !tasks.current(message.task)) return;
  callback([&](Driver& driver) { scheduler.task_said(driver, message.task, message.payload); }, turn);
}

/// An end that no agent will report.
void Framework::Impl::report_end(const TaskId& task, TaskState state, TaskReason reason,
                                 const std::string& why, Turn turn) {
  TaskStatus status;
  status.framework = id;
  status.task = task;
  status.state = state;
  status.reason = reason;
  status.message = why;
  status.agent = tasks.agent(task);
  const bool never_ran = state == TaskState::rejected || state == TaskState::dropped;
  tasks.end(task, never_ran, turn.now);
  kills.ended(task);
  reported.push_back(std::move(status));
}

void Framework::Impl::deliver_reported(Turn turn) {
  while (!reported.empty() && phase != Phase::finished) {
    const auto status = std::move(reported.front());
    reported.pop_front();
    callback([&](Driver& driver) { scheduler.status_update(driver, status); }, turn);
  }
}

void Framework::Impl::send_due_kills(Turn turn) {
  for (const auto* kill : kills.take_due(turn.now)) send(*kill, turn);
}

}  // namespace proffer
