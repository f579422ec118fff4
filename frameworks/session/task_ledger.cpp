#include "frameworks/session/task_ledger.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::frameworks {
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

void TaskLedger::enter(const TaskId& task, Entry& entry, Phase phase) {
  const auto former = std::exchange(entry.phase, phase);
  if ((former == Phase::live) == (phase == Phase::live)) return;
  if (phase == Phase::live) {
    entry.hash = hash_of_task(framework_, task);
    ++digest_.count;
  } else {
    --digest_.count;
  }
  digest_.hash ^= entry.hash;
}

void TaskLedger::confirm(const TaskId& task) {
  auto& entry = tasks_.at(task);
  if (!over(entry)) enter(task, entry, Phase::live);
}

void TaskLedger::doubt(const TaskId& task) {
  auto& entry = tasks_.at(task);
  if (entry.phase == Phase::asked) enter(task, entry, Phase::unsure);
}

void TaskLedger::restore(const KeptTask& kept, Time now) {
  auto& entry = tasks_[kept.task];
  entry = {};
  entry.agent = kept.agent;
  entry.resources = kept.resources;
  entry.number = kept.number;
  entry.seq = kept.seq;
  entry.state = kept.state;
  asked_ = std::max(asked_, kept.number);
  enter(kept.task, entry, kept.seq > 0 ? Phase::live : Phase::unsure);
  if (!is_terminal(kept.state)) return;
  const bool never_ran = kept.state == TaskState::rejected || kept.state == TaskState::dropped;
  entry.state = TaskState::pending;
  end(kept.task, kept.state, never_ran, now);
}

TaskLedger::News TaskLedger::judge(const TaskStatus& status) const {
  const auto at = tasks_.find(status.task);
  const bool ends = is_terminal(status.state);
  if (at == tasks_.end()) return ends ? News::repeat : News::foreign;
  const auto& entry = at->second;
  if (status.seq <= entry.seq) return News::repeat;
  if (over(entry)) return ends ? News::repeat : News::foreign;
  return ends || can_become(entry.state, status.state) ? News::fresh : News::repeat;
}

void TaskLedger::note(const TaskStatus& status, Time now) {
  auto& entry = tasks_.at(status.task);
  PROFFER_CHECK(!over(entry), "a task has one terminal state");
  enter(status.task, entry, Phase::live);
  entry.seq = status.seq;
  if (is_terminal(status.state)) return end(status.task, status.state, false, now);
  entry.state = status.state;
}

void TaskLedger::note_repeat(const TaskStatus& status) {
  const auto at = tasks_.find(status.task);
  if (at == tasks_.end() || over(at->second)) return;
  enter(status.task, at->second, Phase::live);
  at->second.seq = std::max(at->second.seq, status.seq);
}

bool TaskLedger::move(const TaskId& task, TaskState state) {
  auto& entry = tasks_.at(task);
  if (is_terminal(state) || !can_become(entry.state, state)) return false;
  entry.state = state;
  return true;
}

void TaskLedger::end(const TaskId& task, TaskState state, bool refused, Time now) {
  auto& entry = tasks_.at(task);
  PROFFER_CHECK(!over(entry), "a task ends once");
  PROFFER_CHECK(is_terminal(state), "a task ends in a terminal state");
  enter(task, entry, refused ? Phase::refused : Phase::ended);
  entry.state = state;
  entry.ended_at = now;
  ended_.emplace_back(now, task);
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

KeptTask TaskLedger::kept(const TaskId& task) const {
  const auto& entry = tasks_.at(task);
  return {task, entry.agent, entry.resources, entry.number, entry.state, entry.seq};
}

std::vector<TaskId> TaskLedger::forget(Time now) {
  std::vector<TaskId> forgotten;
  while (!ended_.empty() && now - ended_.front().first > kRememberEnds) {
    const auto [at, task] = std::move(ended_.front());
    ended_.pop_front();
    const auto known = tasks_.find(task);
    // A refused id that was used again has an end of its own.
    if (known != tasks_.end() && over(known->second) && known->second.ended_at == at) {
      forgotten.push_back(task);
      tasks_.erase(known);
    }
  }
  return forgotten;
}

void TaskLedger::check_invariants() const {
  for (const auto& [task, entry] : tasks_) {
    PROFFER_CHECK(entry.phase != Phase::live || !is_terminal(entry.state),
                  "a task with a terminal state lives");
    PROFFER_CHECK(over(entry) == is_terminal(entry.state), "a task that is over is in a state that is not");
    PROFFER_CHECK(entry.phase != Phase::asked || entry.seq == 0, "a status of a task that nobody confirmed");
  }
}

}  // namespace proffer::frameworks
