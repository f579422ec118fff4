// Every launch and task that has come here, so that each is started at most once: all that live or whose end
// is unacknowledged, and the newest of those that are settled. Also the tasks that were killed before they
// came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>

#include "agent/task_key.hpp"

namespace proffer::agent {

class LaunchHistory {
 public:
  /// The number of settled launches that are remembered, and of cancelled tasks.
  static constexpr std::size_t kRemembered = 10'000;

  bool knows(LaunchId launch) const { return launches_.contains(launch); }
  bool knows(const TaskKey& key) const { return tasks_.contains(key); }
  /// Aborts when the launch is known.
  void note(LaunchId launch, const TaskKey& key);
  /// Returns the number of the next status of a known task, from 1. Aborts when the task is unknown.
  std::uint64_t next_seq(const TaskKey& key);
  /// Returns the number of the newest status of a task; 0: none yet.
  std::uint64_t seq(const TaskKey& key) const;
  /// Notes that nobody will ask for a launch again; it is forgotten when kRemembered others have been settled
  /// after it.
  void settle(LaunchId launch);

  /// Notes that a task was killed before it came.
  void cancel(const TaskKey& key);
  bool cancelled(const TaskKey& key) const { return cancelled_.contains(key); }
  void check_invariants() const;

 private:
  struct Task {
    std::size_t launches = 0;  // that are remembered
    std::uint64_t seq = 0;
  };
  void forget(LaunchId launch);

  std::map<LaunchId, TaskKey> launches_;
  std::map<TaskKey, Task> tasks_;
  std::deque<LaunchId> settled_;  // the oldest first
  std::set<TaskKey> cancelled_;
  std::deque<TaskKey> cancelled_order_;
};

}  // namespace proffer::agent
