#include "agent/task_runs.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::agent {

bool TaskRuns::fits(const Resources& wanted) const {
  auto sum = used_;
  return total_.contains(sum += wanted);
}

void TaskRuns::start(Run run) {
  PROFFER_CHECK(fits(run.resources), "a run that does not fit was started");
  add(std::move(run));
}

void TaskRuns::restore(Run run) {
  run.restored = true;
  add(std::move(run));
}

void TaskRuns::add(Run run) {
  used_ += run.resources;
  ++digest_.count;
  digest_.hash ^= hash_of_task(run.key.framework, run.key.task);
  const auto launch = run.launch;
  PROFFER_CHECK(by_task_.emplace(run.key, launch).second, "a task was started twice");
  PROFFER_CHECK(runs_.emplace(launch, std::move(run)).second, "a launch was started twice");
}

bool TaskRuns::begin(Run& run, Time at) {
  if (run.began) return false;
  run.began = at;
  return true;
}

bool TaskRuns::ask_to_end(Run& run, TaskReason why, Time kill_at) {
  if (!run.end_asked) {
    run.end_asked = why;
    run.kill_at = kill_at;
    return true;
  }
  if (run.kill_at && kill_at < *run.kill_at) run.kill_at = kill_at;
  return false;
}

std::vector<LaunchId> TaskRuns::take_overdue(Time now) {
  std::vector<LaunchId> overdue;
  for (auto& [launch, run] : runs_) {
    if (!run.kill_at || *run.kill_at > now) continue;
    run.kill_at.reset();
    overdue.push_back(launch);
  }
  return overdue;
}

std::optional<Run> TaskRuns::finish(LaunchId launch) {
  auto node = runs_.extract(launch);
  if (node.empty()) return {};
  used_ -= node.mapped().resources;
  --digest_.count;
  digest_.hash ^= hash_of_task(node.mapped().key.framework, node.mapped().key.task);
  by_task_.erase(node.mapped().key);
  return std::move(node.mapped());
}

Run* TaskRuns::find(LaunchId launch) {
  const auto found = runs_.find(launch);
  return found == runs_.end() ? nullptr : &found->second;
}

Run* TaskRuns::find(const TaskKey& key) {
  const auto found = by_task_.find(key);
  return found == by_task_.end() ? nullptr : find(found->second);
}

std::optional<Time> TaskRuns::next_deadline() const {
  std::optional<Time> next;
  for (const auto& [launch, run] : runs_) next = earlier(next, run.kill_at);
  return next;
}

void TaskRuns::check_invariants() const {
  Resources sum;
  TaskDigest digest;
  bool any_restored = false;
  for (const auto& [launch, run] : runs_) {
    sum += run.resources;
    ++digest.count;
    digest.hash ^= hash_of_task(run.key.framework, run.key.task);
    any_restored = any_restored || run.restored;
    PROFFER_CHECK(run.launch == launch, "a run under another launch");
    const auto task = by_task_.find(run.key);
    PROFFER_CHECK(task != by_task_.end() && task->second == launch, "a run that its task does not know");
    PROFFER_CHECK(!run.kill_at || run.end_asked, "a run is to be killed, but nobody asked");
  }
  PROFFER_CHECK(by_task_.size() == runs_.size(), "a task without its run");
  PROFFER_CHECK(sum == used_, "the used resources are not the sum of the runs'");
  PROFFER_CHECK(digest == digest_, "the digest is not that of the runs");
  PROFFER_CHECK(any_restored || total_.contains(used_), "runs take more than the agent has");
}

}  // namespace proffer::agent
