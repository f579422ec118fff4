// The tasks of one kind that run, of all jobs of a framework, in order of launch.
//
// Invariant: each task is here once, under the number of its launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

#include "proffer/frameworks/policy_abilities.hpp"
#include "proffer/ids.hpp"

namespace proffer::frameworks {

class RunningTasks {
 public:
  /// A task was launched, after all others here. Aborts on an id that is here.
  void add(RunningTask task);
  /// Removes and returns a task that has ended. Aborts when it is not here.
  RunningTask remove(const TaskId& task);

  std::size_t size() const { return by_launch_.size(); }
  /// Visits all, the oldest first.
  void each(const std::function<void(const RunningTask&)>& visit) const;
  /// Visits all, the newest first.
  void each_newest_first(const std::function<void(const RunningTask&)>& visit) const;

  /// Aborts unless the invariant holds.
  void check_invariants() const;

 private:
  std::map<std::uint64_t, RunningTask> by_launch_;
  std::map<TaskId, std::uint64_t> numbers_;
  std::uint64_t next_ = 0;
};

}  // namespace proffer::frameworks
