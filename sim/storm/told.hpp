// The tasks that schedulers have asked for, and what they were told of them. A framework is one over all its
// processes that come back under its id.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"
#include "sim/storm/process_table.hpp"
#include "sim/storm/record.hpp"

namespace proffer::sim::storm {

/// A framework over all its processes; one that comes back without its records is another.
using Lineage = std::uint32_t;
/// A process of it, in one life.
using Instance = std::uint64_t;

struct AskedTask {
  TaskKey key;
  Instance asker = 0;
  Time asked_at;
  std::optional<TaskState> end;
  std::set<Instance> told_end;  ///< instances that heard of its end
  std::optional<TaskState> state;
};

class Told {
 public:
  Told(ProcessTable& table, Record& record) : table_(table), record_(record) {}

  /// The allocator has admitted that process of the framework.
  void admitted(Lineage lineage, Instance instance) { speakers_[lineage] = instance; }
  /// An ACCEPT with the task has left its process for the first time.
  void asked(Lineage lineage, Instance instance, FrameworkId framework, const TaskId& task, Time now);
  /// A scheduler is told of a status. It counts once the step of its process is committed: nothing that the
  /// scheduler has asked for, noted or forgotten on it is seen by anybody before.
  void update(Lineage lineage, Instance instance, const TaskStatus& status, Time now);
  /// The step in which schedulers were told is committed.
  void committed();
  /// The process died before: its successor knows nothing of that step.
  void lost() { heard_.clear(); }

  const AskedTask* find(Lineage lineage, const TaskId& task) const;
  /// Returns the tasks of which it has not heard that they ended.
  std::vector<TaskId> open(Lineage lineage) const;
  const std::map<std::pair<Lineage, TaskId>, AskedTask>& all() const { return tasks_; }

 private:
  using Key = std::pair<Lineage, TaskId>;
  struct Heard {
    Key task;
    Instance instance = 0;
    TaskState state = TaskState::pending;
  };
  /// Returns the end of a task that was heard in the step that is under way.
  std::optional<TaskState> end_heard(const Key& task) const;
  /// Returns whether a later process speaks for the framework. What the former one still hears must be true,
  /// but nobody acts on it, so it need not be what the later one hears: each can be true at its time.
  bool replaced(Lineage lineage, Instance instance) const;

  ProcessTable& table_;
  Record& record_;
  std::map<Key, AskedTask> tasks_;
  std::map<Lineage, Instance> speakers_;  ///< the last to be admitted
  std::vector<Heard> heard_;  ///< in the step that is under way
};

}  // namespace proffer::sim::storm
