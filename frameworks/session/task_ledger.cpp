#include "frameworks/session/task_ledger.hpp"

#include <functional>

#include "proffer/check.hpp"

namespace proffer {
namespace {
/// An agent repeats a status for at most this long after it was acknowledged, or so we say.
constexpr Duration kRememberEnds = std::chrono::minutes(10);
}  // namespace

void TaskLedger::ask(const TaskId& task, AgentId agent, const Resources& resources) {
  PROFFER_CHECK(valid_task_id(task.value), "a task id is 1-128 bytes of [A-Za-z0-9._-]");
  const auto [at, fresh] = tasks_.try_emplace(task);
  PROFFER_CHECK(fresh || at->second.phase == Phase::refused, "a task id is used once");
  at->second = {};
  at->second.agent = agent;
  at->second.resources = resources;
  at->second.number = ++asked_;
}

void TaskLedger::confirm(const TaskId& task) {
  auto& entry = tasks_.at(task);
  if (entry.phase == Phase::asked) entry.phase = Phase::live;
}

TaskLedger::News TaskLedger::judge(const TaskStatus& status) const {
  const auto at = tasks_.find(status.task);
  if (at == tasks_.end()) return News::repeat;
  const auto& entry = at->second;
  const bool newer = status.seq > entry.seq;
  if (over(entry)) return newer && !is_terminal(status.state) ? News::undead : News::repeat;
  return newer ? News::fresh : News::repeat;
}

void TaskLedger::note(const TaskStatus& status, Time now) {
  auto& entry = tasks_.at(status.task);
  PROFFER_CHECK(!over(entry), "a task has one terminal state");
  entry.phase = Phase::live;
  entry.state = status.state;
  entry.seq = status.seq;
  if (is_terminal(status.state)) end(status.task, false, now);
}

void TaskLedger::end(const TaskId& task, bool refused, Time now) {
  auto& entry = tasks_.at(task);
  PROFFER_CHECK(!over(entry), "a task ends once");
  entry.phase = refused ? Phase::refused : Phase::ended;
  entry.ended_at = now;
  ended_.emplace_back(now, task);
  forget(now);
}

bool TaskLedger::asked(const TaskId& task) const {
  const auto at = tasks_.find(task);
  return at != tasks_.end() && at->second.phase == Phase::asked;
}

bool TaskLedger::current(const TaskId& task) const {
  const auto at = tasks_.find(task);
  return at != tasks_.end() && !over(at->second);
}

AgentId TaskLedger::agent(const TaskId& task) const {
  const auto at = tasks_.find(task);
  return at == tasks_.end() ? AgentId{} : at->second.agent;
}

std::vector<HeldTask> TaskLedger::newest_first(Kind kind) const {
  std::map<std::uint64_t, HeldTask, std::greater<>> running;
  for (const auto& [task, entry] : tasks_) {
    const auto slots = entry.resources[kind];
    if (entry.phase == Phase::live && slots > 0) running[entry.number] = {task, slots};
  }
  std::vector<HeldTask> tasks;
  for (const auto& [number, task] : running) tasks.push_back(task);
  return tasks;
}

std::set<TaskId> TaskLedger::all_current() const {
  std::set<TaskId> current;
  for (const auto& [task, entry] : tasks_) {
    if (!over(entry)) current.insert(current.end(), task);
  }
  return current;
}

void TaskLedger::forget(Time now) {
  while (!ended_.empty() && now - ended_.front().first > kRememberEnds) {
    const auto [at, task] = std::move(ended_.front());
    ended_.pop_front();
    const auto known = tasks_.find(task);
    // A refused id that was used again has an end of its own.
    if (known != tasks_.end() && over(known->second) && known->second.ended_at == at) tasks_.erase(known);
  }
}

void TaskLedger::check_invariants() const {
  for (const auto& [task, entry] : tasks_) {
    PROFFER_CHECK(entry.phase != Phase::live || !is_terminal(entry.state),
                  "a task with a terminal state lives");
    PROFFER_CHECK(entry.phase != Phase::asked || entry.seq == 0, "a status of a task that nobody confirmed");
  }
}

}  // namespace proffer
