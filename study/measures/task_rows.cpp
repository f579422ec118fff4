#include "study/measures/task_rows.hpp"

namespace proffer::study {

void TaskRows::placed(const FrameworkTask& task, TaskRow row) {
  open_[task] = rows_.size();
  rows_.push_back(std::move(row));
}

TaskRow* TaskRows::open_row(const FrameworkTask& task) {
  const auto at = open_.find(task);
  return at == open_.end() ? nullptr : &rows_[at->second];
}

void TaskRows::missed(const FrameworkTask& task, double now) {
  auto* row = open_row(task);
  if (row == nullptr) return;
  row->ended = now;
  row->state = to_string(TaskState::unreachable);
}

void TaskRows::returned(const FrameworkTask& task) {
  auto* row = open_row(task);
  if (row == nullptr) return;
  row->ended.reset();
  row->state.clear();
}

void TaskRows::ended(const FrameworkTask& task, TaskState state, bool was_away, double now) {
  auto* row = open_row(task);
  if (row == nullptr) return;
  if (state == TaskState::finished || !was_away) row->ended = now;
  row->state = to_string(state);
  open_.erase(task);
}

}  // namespace proffer::study
