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
#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

class TaskLedger {
 public:
  /// The meaning of an UPDATE.
  enum class News : std::uint8_t {
    fresh,   ///< deliver, then note()
    repeat,  ///< delivered before, or of a task of nobody: acknowledge only
    undead,  ///< runs although its end was reported: acknowledge, and kill it
  };

  /// Launching is asked for. Aborts on an id that was used before, unless that task was refused: no process
  /// ever ran under it.
  void ask(const TaskId& task, AgentId agent, const Resources& resources);
  /// The ACCEPT of a task was answered with ok.
  void confirm(const TaskId& task);
  News judge(const TaskStatus& status) const;
  /// A fresh status is about to be delivered.
  void note(const TaskStatus& status, Time now);
  /// Ends a task whose end we report ourselves. `refused`: it never ran, so its id may be used again.
  void end(const TaskId& task, bool refused, Time now);

  /// Returns whether the ACCEPT of a task is not answered yet.
  bool asked(const TaskId& task) const;
  /// Returns whether a task was asked for and has not ended.
  bool current(const TaskId& task) const;
  AgentId agent(const TaskId& task) const;
  std::set<TaskId> all_current() const;
  /// Returns the tasks that run, or are about to, on resources of that kind; the newest launch first.
  std::vector<HeldTask> newest_first(Kind kind) const;
  void check_invariants() const;

 private:
  enum class Phase : std::uint8_t { asked, live, ended, refused };
  struct Entry {
    Phase phase = Phase::asked;
    AgentId agent;
    Resources resources;
    std::uint64_t number = 0;  // in order of asking
    std::uint64_t seq = 0;     // of the newest status delivered
    TaskState state = TaskState::pending;
    Time ended_at;
  };
  static bool over(const Entry& entry) { return entry.phase >= Phase::ended; }
  void forget(Time now);

  std::map<TaskId, Entry> tasks_;
  std::uint64_t asked_ = 0;
  std::deque<std::pair<Time, TaskId>> ended_;
};

}  // namespace proffer::frameworks
