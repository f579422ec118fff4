// Rows of tasks, one for each time that a framework chose a slot for one.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "proffer/study/ledger.hpp"
#include "proffer/study/results.hpp"
#include "proffer/task_state.hpp"

namespace proffer::study {

/// Times are seconds after the start of the run.
class TaskRows {
 public:
  void placed(const FrameworkTask& task, TaskRow row);
  /// The agent of the task is silent: the task counts as ended until it is heard of again.
  void missed(const FrameworkTask& task, double now);
  void returned(const FrameworkTask& task);
  /// `was_away`: the task's agent was silent. Unless the task finished, it ended when its agent was missed.
  void ended(const FrameworkTask& task, TaskState state, bool was_away, double now);

  std::vector<TaskRow> take() { return std::move(rows_); }

 private:
  TaskRow* open_row(const FrameworkTask& task);

  std::map<FrameworkTask, std::size_t> open_;  // rows of tasks that have not ended
  std::vector<TaskRow> rows_;
};

}  // namespace proffer::study
