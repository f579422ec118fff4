// The runs that live: started, and not yet known to have ended. Its invariants: one run a launch and a task,
// and together they take no more than the agent has, unless it came back with fewer slots than it had.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "agent/task_key.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/resources.hpp"
#include "proffer/task_state.hpp"
#include "proffer/time.hpp"

namespace proffer::agent {

struct Run {
  LaunchId launch;
  TaskKey key;
  Resources resources;
  std::optional<Time> began = {};            // its process runs since then
  std::optional<TaskReason> end_asked = {};  // somebody wants it to end, and why
  std::optional<Time> kill_at = {};          // when asking is over
  bool restored = false;                     // it was started in a former life
};

class TaskRuns {
 public:
  explicit TaskRuns(Resources total) : total_(std::move(total)) {}

  bool fits(const Resources& wanted) const;
  /// Aborts when the run does not fit, or when its launch or task runs already.
  void start(Run run);
  /// Takes up a run of a former life, whether or not it fits. Aborts when its launch or task runs already.
  void restore(Run run);
  /// Notes that the process of a run has started. Returns false when that was known.
  static bool begin(Run& run, Time at);
  /// Notes that a run is asked to end, and sets or brings forward the time at which it is killed. Returns
  /// false when it was asked before.
  static bool ask_to_end(Run& run, TaskReason why, Time kill_at);
  /// Returns the runs whose grace is over; each is named once.
  std::vector<LaunchId> take_overdue(Time now);
  /// Takes out a run that has ended. None when no such run lives.
  std::optional<Run> finish(LaunchId launch);

  Run* find(LaunchId launch);
  Run* find(const TaskKey& key);
  const std::map<LaunchId, Run>& all() const { return runs_; }
  /// Returns how many there are, and of which tasks, as a heartbeat says it.
  const TaskDigest& digest() const { return digest_; }
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

 private:
  void add(Run run);

  Resources total_;
  Resources used_;
  TaskDigest digest_;
  std::map<LaunchId, Run> runs_;
  std::map<TaskKey, LaunchId> by_task_;
};

}  // namespace proffer::agent
