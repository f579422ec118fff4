// The fates of all tasks that the scheduler asked to launch. The ledger owns the promise that the scheduler
// sees each status once, and exactly one terminal state a task.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "proffer/frameworks/scheduler_abilities.hpp"
#include "proffer/ids.hpp"
#include "proffer/kept.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

class TaskLedger {
 public:
  /// The meaning of an UPDATE.
  enum class News : std::uint8_t {
    fresh,    ///< deliver, then note()
    repeat,   ///< delivered before, or of a task of nobody: acknowledge only
    foreign,  ///< runs, although its end was reported or nobody remembers to have asked for it: also kill it
  };

  /// Launching is asked for. Aborts on an id that was used before, unless that task was refused: no process
  /// ever ran under it.
  void ask(const TaskId& task, AgentId agent, const Resources& resources);
  /// The allocator has said that it has the task: its ACCEPT was answered with ok, or somebody asked.
  void confirm(const TaskId& task);
  /// The ACCEPT of a task that is asked for will never be answered: its allocator is no more.
  void doubt(const TaskId& task);
  /// Takes over a task of a former process. One that has ended counts as ended at `now`.
  void restore(const KeptTask& kept, Time now);
  /// The same state again, under a new number, is no news; nor is one that the task has left behind.
  News judge(const TaskStatus& status) const;
  /// A fresh status is about to be delivered.
  void note(const TaskStatus& status, Time now);
  /// A status was a repeat: none up to its number is news any more.
  void note_repeat(const TaskStatus& status);
  /// A state is about to be delivered that no numbered status has told. Returns false when the task cannot be
  /// in it, or is already.
  bool move(const TaskId& task, TaskState state);
  /// Ends a task whose end we report ourselves. `refused`: it never ran, so its id may be used again.
  void end(const TaskId& task, TaskState state, bool refused, Time now);

  bool knows(const TaskId& task) const { return tasks_.contains(task); }
  /// Returns whether the ACCEPT of a task is not answered yet.
  bool asked(const TaskId& task) const;
  /// Returns whether a task was asked for and has not ended.
  bool current(const TaskId& task) const;
  AgentId agent(const TaskId& task) const;
  std::set<TaskId> all_current() const;
  /// Returns the newest state that was delivered of a task that is known.
  TaskState state(const TaskId& task) const { return tasks_.at(task).state; }
  /// Returns the record of a task that is known.
  KeptTask kept(const TaskId& task) const;
  /// Returns the tasks that the allocator is known to have.
  const TaskDigest& digest() const { return digest_; }
  /// Sets the framework whose tasks these are, for the digest.
  void belong_to(FrameworkId framework) { framework_ = framework; }
  /// Forgets tasks that ended long ago, and returns them.
  std::vector<TaskId> forget(Time now);
  /// Returns the tasks that run, or are about to, on resources of that kind; the newest launch first.
  std::vector<HeldTask> newest_first(Kind kind) const;
  void check_invariants() const;

 private:
  enum class Phase : std::uint8_t {
    asked,   ///< the ACCEPT is not answered
    unsure,  ///< the ACCEPT never will be
    live,
    ended,
    refused,  ///< ended, and never ran
  };
  struct Entry {
    Phase phase = Phase::asked;
    AgentId agent;
    Resources resources;
    std::uint64_t number = 0;  // in order of asking
    std::uint64_t seq = 0;     // of the newest status delivered
    TaskState state = TaskState::pending;
    Time ended_at;
    std::uint64_t hash = 0;  // its part of the digest, while it is live
  };
  static bool over(const Entry& entry) { return entry.phase >= Phase::ended; }
  /// The one place where a task's phase changes: the digest is over live tasks.
  void enter(const TaskId& task, Entry& entry, Phase phase);

  FrameworkId framework_;
  TaskDigest digest_;
  std::map<TaskId, Entry> tasks_;
  std::uint64_t asked_ = 0;
  std::deque<std::pair<Time, TaskId>> ended_;
};

}  // namespace proffer::frameworks
