#include "frameworks/pool/running_tasks.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::frameworks {

void RunningTasks::add(RunningTask task) {
  const bool is_new = numbers_.emplace(task.id, next_).second;
  PROFFER_CHECK(is_new, "a task of that id runs already");
  by_launch_.emplace(next_++, std::move(task));
}

RunningTask RunningTasks::remove(const TaskId& task) {
  const auto at = numbers_.find(task);
  PROFFER_CHECK(at != numbers_.end(), "a task ended that was not launched");
  auto launched = by_launch_.extract(at->second);
  numbers_.erase(at);
  return std::move(launched.mapped());
}

void RunningTasks::each(const std::function<void(const RunningTask&)>& visit) const {
  for (const auto& [number, task] : by_launch_) visit(task);
}

void RunningTasks::each_newest_first(const std::function<void(const RunningTask&)>& visit) const {
  for (auto at = by_launch_.rbegin(); at != by_launch_.rend(); ++at) visit(at->second);
}

void RunningTasks::check_invariants() const {
  PROFFER_CHECK(by_launch_.size() == numbers_.size(), "tasks that run are miscounted");
  for (const auto& [task, number] : numbers_) {
    PROFFER_CHECK(by_launch_.at(number).id == task, "a task runs under the number of another");
  }
}

}  // namespace proffer::frameworks
