#include "agent/launch_history.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::agent {

void LaunchHistory::add(LaunchId id, Launch launch) {
  auto& task = tasks_[launch.key];
  ++task.launches;
  task.seq = std::max(task.seq, launch.seq);
  PROFFER_CHECK(launches_.emplace(id, std::move(launch)).second, "a launch was noted twice");
}

void LaunchHistory::note(LaunchId launch, const TaskKey& key, JobId job) { add(launch, {key, job}); }

void LaunchHistory::restore(const KeptLaunch& kept) {
  add(kept.launch, {{kept.framework, kept.task}, kept.job, kept.seq, kept.settled});
  if (kept.settled == 0) return;
  PROFFER_CHECK(settled_.emplace(kept.settled, kept.launch).second, "two settled launches of one number");
}

const LaunchHistory::Launch& LaunchHistory::at(LaunchId launch) const {
  const auto found = launches_.find(launch);
  PROFFER_CHECK(found != launches_.end(), "an unknown launch was asked for");
  return found->second;
}

std::uint64_t LaunchHistory::next_seq(LaunchId launch) {
  const auto found = launches_.find(launch);
  PROFFER_CHECK(found != launches_.end(), "a status of an unknown launch");
  found->second.seq = ++tasks_.at(found->second.key).seq;
  return found->second.seq;
}

std::uint64_t LaunchHistory::seq(const TaskKey& key) const {
  const auto found = tasks_.find(key);
  return found == tasks_.end() ? 0 : found->second.seq;
}

void LaunchHistory::settle(LaunchId launch) {
  const auto found = launches_.find(launch);
  PROFFER_CHECK(found != launches_.end() && found->second.settled == 0, "a launch was settled twice");
  found->second.settled = settled_.empty() ? 1 : settled_.rbegin()->first + 1;
  settled_.emplace(found->second.settled, launch);
}

std::vector<LaunchId> LaunchHistory::forget_oldest() {
  std::vector<LaunchId> forgotten;
  while (settled_.size() > kRemembered) {
    forgotten.push_back(settled_.begin()->second);
    settled_.erase(settled_.begin());
    forget(forgotten.back());
  }
  return forgotten;
}

void LaunchHistory::forget(LaunchId launch) {
  const auto node = launches_.extract(launch);
  PROFFER_CHECK(!node.empty(), "an unknown launch was settled");
  const auto task = tasks_.find(node.mapped().key);
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
  for (const auto& [number, launch] : settled_) {
    const auto found = launches_.find(launch);
    PROFFER_CHECK(found != launches_.end() && found->second.settled == number, "a settled launch is unknown");
  }
  PROFFER_CHECK(cancelled_.size() == cancelled_order_.size(), "a cancelled task is out of order");
}

}  // namespace proffer::agent
