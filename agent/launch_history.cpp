#include "agent/launch_history.hpp"

#include "proffer/check.hpp"

namespace proffer::agent {

void LaunchHistory::note(LaunchId launch, const TaskKey& key) {
  PROFFER_CHECK(launches_.emplace(launch, key).second, "a launch was noted twice");
  ++tasks_[key].launches;
}

std::uint64_t LaunchHistory::next_seq(const TaskKey& key) {
  const auto found = tasks_.find(key);
  PROFFER_CHECK(found != tasks_.end(), "a status of an unknown task");
  return ++found->second.seq;
}

std::uint64_t LaunchHistory::seq(const TaskKey& key) const {
  const auto found = tasks_.find(key);
  return found == tasks_.end() ? 0 : found->second.seq;
}

void LaunchHistory::settle(LaunchId launch) {
  settled_.push_back(launch);
  if (settled_.size() <= kRemembered) return;
  forget(settled_.front());
  settled_.pop_front();
}

void LaunchHistory::forget(LaunchId launch) {
  const auto node = launches_.extract(launch);
  PROFFER_CHECK(!node.empty(), "an unknown launch was settled");
  const auto task = tasks_.find(node.mapped());
  if (--task->second.launches == 0) tasks_.erase(task);
}

void LaunchHistory::cancel(const TaskKey& key) {
  if (!cancelled_.insert(key).second) return;
  cancelled_order_.push_back(key);
  if (cancelled_order_.size() <= kRemembered) return;
  cancelled_.erase(cancelled_order_.front());
  cancelled_order_.pop_front();
}

void LaunchHistory::check_invariants() const {
  std::size_t launches = 0;
  for (const auto& [key, task] : tasks_) {
    PROFFER_CHECK(task.launches > 0, "a task is remembered without a launch");
    launches += task.launches;
  }
  PROFFER_CHECK(launches == launches_.size(), "launches and tasks disagree");
  PROFFER_CHECK(settled_.size() <= kRemembered, "too many settled launches are remembered");
  PROFFER_CHECK(cancelled_.size() == cancelled_order_.size(), "a cancelled task is out of order");
}

}  // namespace proffer::agent
