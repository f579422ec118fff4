#include "allocator/tables/task_table.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::allocator {
namespace {
constexpr Duration kResendFirst = std::chrono::seconds(1);
constexpr Duration kResendMax = std::chrono::seconds(10);
/// A number of a status to a framework is a counter below the epoch.
constexpr int kEpochShift = 32;
}  // namespace

TaskRecord& TaskTable::add(LaunchId launch, FrameworkIndex framework, AgentIndex agent, TaskId id) {
  auto& task = tasks_[launch];
  task.launch = launch;
  task.framework = framework;
  task.agent = agent;
  task.id = std::move(id);
  task.told = (epoch_ - 1) << kEpochShift;
  return task;
}

TaskRecord& TaskTable::launch(FrameworkIndex framework, AgentIndex agent, TaskSpec spec, Time now) {
  auto& task = add({epoch_, ++newest_}, framework, agent, spec.id);
  task.resources = spec.resources;
  task.job = spec.job;
  task.spec = std::move(spec);
  schedule(task, now);
  return task;
}

TaskRecord& TaskTable::adopt(FrameworkIndex framework, AgentIndex agent, const AgentTask& listed) {
  PROFFER_CHECK(is_former(listed.launch) && find(listed.launch) == nullptr, "only the unknown is adopted");
  auto& task = add(listed.launch, framework, agent, listed.task);
  task.resources = listed.resources;
  task.job = listed.job;
  task.there = true;
  // An end is on its way, and is told when it comes: until then the task counts as one that runs.
  task.state = is_terminal(listed.state) ? TaskState::running : listed.state;
  return task;
}

void TaskTable::want_dead(TaskRecord& task, Duration grace, Time now) {
  if (task.kill && *task.kill <= grace) return;
  task.kill = grace;
  schedule(task, now);
}

bool TaskTable::may_become(const TaskRecord& task, TaskState state) {
  return can_become(task.state, state) || (task.state == state && !task.ended());
}

void TaskTable::report(TaskRecord& task, TaskStatus status, Time now) {
  PROFFER_CHECK(may_become(task, status.state), "a task changes as it may");
  task.state = status.state;
  task.seq = std::max(task.seq, status.seq);
  if (task.ended()) task.spec.reset();
  task.owed_seq = status.seq;  // the agent's number, before the allocator's own takes its place
  task.owed = std::move(status);
  task.owed->seq = ++task.told;
  task.agent_away = false;
  if (task.owes_own()) schedule(task, now);
}

void TaskTable::repeat_for_agent(TaskRecord& task, Time now) {
  if (!task.owed || task.repeats()) return;
  task.agent_away = true;
  schedule(task, now);
}

void TaskTable::erase(LaunchId launch) { PROFFER_CHECK(tasks_.erase(launch) == 1, "no such task"); }

const TaskRecord* TaskTable::find(LaunchId launch) const {
  const auto found = tasks_.find(launch);
  return found == tasks_.end() ? nullptr : &found->second;
}

TaskRecord* TaskTable::find(LaunchId launch) {
  return const_cast<TaskRecord*>(std::as_const(*this).find(launch));
}

TaskRecord& TaskTable::operator[](LaunchId launch) {
  auto* task = find(launch);
  PROFFER_CHECK(task != nullptr, "no such task");
  return *task;
}

std::vector<LaunchId> TaskTable::all() const {
  std::vector<LaunchId> launches;
  launches.reserve(tasks_.size());
  for (const auto& [launch, task] : tasks_) launches.push_back(launch);
  std::sort(launches.begin(), launches.end());
  return launches;
}

// ---- launches and kills that are sent again ----

void TaskTable::schedule(TaskRecord& task, Time now) {
  task.resend.emplace(kResendFirst, kResendMax, now);
  resends_.push(task.resend->at(), task.launch);
}

void TaskTable::sent_again(TaskRecord& task, Time now) {
  PROFFER_CHECK(task.resend, "a message that was never sent is not sent again");
  task.resend->sent(now);
  resends_.push(task.resend->at(), task.launch);
}

bool TaskTable::still_wanted(Time at, LaunchId launch) const {
  const auto* task = find(launch);
  return task != nullptr && task->awaits() && task->resend && task->resend->at() == at;
}

TaskRecord* TaskTable::pop_resend(Time now) {
  const auto launch = resends_.pop_due(now, [this](Time at, LaunchId due) { return still_wanted(at, due); });
  return launch ? find(*launch) : nullptr;
}

void TaskTable::settle() {
  resends_.settle([this](Time at, LaunchId launch) { return still_wanted(at, launch); });
}

void TaskTable::check_invariants() const {
  for (const auto& [launch, task] : tasks_) {
    PROFFER_CHECK(task.launch == launch, "a task under another number");
    PROFFER_CHECK(!task.there || !task.spec, "a task that has arrived is not launched");
    PROFFER_CHECK(!task.awaits() || task.resend, "something to send again has a time for it");
    PROFFER_CHECK(!task.ended() || task.owed, "an end that the framework knows of is forgotten");
    PROFFER_CHECK(!task.owed || task.owed->seq == task.told, "only the newest status is owed");
    PROFFER_CHECK(task.ended() || task.agent, "a task that lives is on an agent");
    PROFFER_CHECK(!task.ended() || !task.spec, "an ended task is not launched");
  }
}

}  // namespace proffer::allocator
