// The progress of every instance of a bag. An instance waits, is out on a slot, or is over. Tasks that were
// given up are nobody's: they end some time, or never.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "proffer/frameworks/batch.hpp"
#include "proffer/ids.hpp"

namespace proffer::batch {

class Instances {
 public:
  /// Returns the instance that a task id of task() names.
  static std::uint32_t index_of(const TaskId& task);

  Instances(std::uint32_t count, std::uint32_t max_attempts, std::uint32_t first_try = 0);

  /// The progress of one instance, for a later process.
  struct Record {
    std::uint32_t tries = 0;     ///< task ids that were used up
    std::uint32_t attempts = 0;  ///< tries that count
    std::uint32_t blamed = 0;    ///< ends that were blamed on agents
    bool finished = false;
    bool failed = false;  ///< for good
    bool over() const { return finished || failed; }
    bool operator==(const Record&) const = default;
  };
  const Record& record(std::uint32_t index) const { return instances_.at(index); }
  /// Sets the progress of a waiting instance as a former process left it.
  void restore(std::uint32_t index, const Record& record);
  /// Has a waiting instance be out as a task of a former process. None when the task is not its newest: it
  /// was given up. Also no later task has its id.
  std::optional<BatchAttempt> adopt(const TaskId& task);

  /// The task that instance `index` is to run as next. A new id for each try.
  TaskId task(std::uint32_t index) const;
  /// The instances that wait for a slot, in order.
  const std::set<std::uint32_t>& waiting() const { return waiting_; }

  /// Places a waiting instance, whose current task is `task`: it is out now.
  BatchAttempt place(const TaskId& task);
  /// The tasks that are out, in order.
  std::vector<TaskId> out() const;
  /// Returns the attempt of the instance that is out as `task`; none when there is none.
  std::optional<BatchAttempt> find(const TaskId& task) const;
  /// Ends an instance that was out. Unless that `counts` it waits again, with its attempts untouched.
  /// Returns the attempt, with `last` set when it will not be tried again.
  BatchAttempt end(const TaskId& task, bool ok, bool counts);
  /// Counts that the instance that is out as `task` was failed by its agent. False once that has been so
  /// often that it may be its own doing: a command that fills disks, or kills what runs it, would go from
  /// agent to agent for ever.
  bool may_blame_agent(const TaskId& task);

  std::uint32_t failed() const { return failed_; }
  bool all_over() const { return finished_ + failed_ == instances_.size(); }

 private:
  std::uint32_t max_attempts_;
  std::vector<Record> instances_;
  std::set<std::uint32_t> waiting_;
  std::map<TaskId, std::uint32_t> out_;
  std::uint32_t finished_ = 0;
  std::uint32_t failed_ = 0;
};

}  // namespace proffer::batch
