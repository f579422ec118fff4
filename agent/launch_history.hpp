// Every launch and task that has come here, so that each is started at most once: all that live or whose end
// is unacknowledged, and the newest of those that are settled. Also the tasks that were killed before they
// came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "agent/task_key.hpp"
#include "proffer/kept.hpp"

namespace proffer::agent {

class LaunchHistory {
 public:
  /// The number of settled launches that are remembered, and of cancelled tasks.
  static constexpr std::size_t kRemembered = 10'000;

  struct Launch {
    TaskKey key;
    JobId job;
    std::uint64_t seq = 0;      // of its newest status; 0: none yet
    std::uint64_t settled = 0;  // rises from one settled launch to the next; 0: it is not settled
  };

  bool knows(LaunchId launch) const { return launches_.contains(launch); }
  bool knows(const TaskKey& key) const { return tasks_.contains(key); }
  /// Aborts when the launch is unknown.
  const Launch& at(LaunchId launch) const;
  const std::map<LaunchId, Launch>& all() const { return launches_; }
  /// Aborts when the launch is known.
  void note(LaunchId launch, const TaskKey& key, JobId job = {});
  /// Notes a launch of a former life. Aborts when it is known.
  void restore(const KeptLaunch& kept);
  /// Returns the number of the next status of a launch: above all of its task's, from 1. Aborts when the
  /// launch is unknown.
  std::uint64_t next_seq(LaunchId launch);
  /// Returns the number of the newest status of a task; 0: none yet.
  std::uint64_t seq(const TaskKey& key) const;
  /// Notes that nobody will ask for a launch again. Aborts when it is unknown, or settled already.
  void settle(LaunchId launch);
  /// Forgets the settled launches after which kRemembered others have been settled, and returns them.
  std::vector<LaunchId> forget_oldest();

  /// Notes that a task was killed before it came.
  void cancel(const TaskKey& key);
  bool cancelled(const TaskKey& key) const { return cancelled_.contains(key); }
  void check_invariants() const;

 private:
  struct Task {
    std::size_t launches = 0;  // that are remembered
    std::uint64_t seq = 0;
  };
  void add(LaunchId id, Launch launch);
  void forget(LaunchId launch);

  std::map<LaunchId, Launch> launches_;
  std::map<TaskKey, Task> tasks_;
  std::map<std::uint64_t, LaunchId> settled_;  // by number: the oldest first
  std::set<TaskKey> cancelled_;
  std::deque<TaskKey> cancelled_order_;
};

}  // namespace proffer::agent
