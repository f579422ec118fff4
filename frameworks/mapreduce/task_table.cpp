#include "frameworks/mapreduce/task_table.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

std::string padded(std::uint32_t number) {
  auto digits = std::to_string(number);
  return std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits;
}

TaskId named(const std::string& prefix, std::uint32_t index, std::uint32_t attempt) {
  return {prefix + padded(index) + "-" + std::to_string(attempt)};
}

/// Takes a number from the front of `text`, with `end` behind it; none when there is none.
std::optional<std::uint32_t> take_number(std::string_view& text, char end) {
  std::uint32_t value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_last = at == text.data() + text.size();
  if (error != std::errc{} || is_last != (end == '\0') || (!is_last && *at != end)) return {};
  text.remove_prefix(static_cast<std::size_t>(at - text.data()) + (is_last ? 0 : 1));
  return value;
}

}  // namespace

std::optional<AttemptName> parse_attempt(const TaskId& task) {
  std::string_view text(task.value);
  if (!text.starts_with('j')) return {};
  text.remove_prefix(1);
  const auto job = take_number(text, '-');
  const bool map = text.starts_with("m-");
  if (!job || (!map && !text.starts_with("r-"))) return {};
  text.remove_prefix(2);
  const auto index = take_number(text, '-');
  const auto attempt = index ? take_number(text, '\0') : std::nullopt;
  if (!attempt) return {};
  return AttemptName{{*job}, map, *index, *attempt};
}

TaskTable::TaskTable(JobId job, char letter, std::uint32_t count, std::uint32_t first_attempt)
    : prefix_("j" + std::to_string(job.value) + "-" + letter + "-"), tasks_(count) {
  for (auto& task : tasks_) task.tries.attempts = first_attempt;
  for (std::uint32_t index = 0; index < count; ++index) waiting_.insert(waiting_.end(), index);
}

TaskTable::Task& TaskTable::expect(std::uint32_t index, Stage stage) {
  auto& task = tasks_.at(index);
  PROFFER_CHECK(task.stage == stage, "a task of a job is not where it should be");
  return task;
}

void TaskTable::wait(std::uint32_t index) {
  tasks_.at(index).stage = Stage::waiting;
  waiting_.insert(index);
}

TaskId TaskTable::open(std::uint32_t index) {
  auto& task = expect(index, Stage::waiting);
  task.stage = Stage::open;
  task.attempt = named(prefix_, index, task.tries.attempts++);
  waiting_.erase(index);
  open_.insert(index);
  opened_.emplace(task.attempt, index);
  return task.attempt;
}

TaskId TaskTable::open_backup(std::uint32_t index) {
  auto& task = expect(index, Stage::running);
  PROFFER_CHECK(task.backup.value.empty(), "a task has a backup already");
  task.backup = named(prefix_, index, task.tries.attempts++);
  opened_.emplace(task.backup, index);
  return task.backup;
}

void TaskTable::close(const TaskId& id) {
  const auto node = opened_.extract(id);
  PROFFER_CHECK(!node.empty(), "only an open attempt can be taken back");
  auto& task = tasks_.at(node.mapped());
  if (task.backup == id) {
    task.backup = {};
    return;
  }
  expect(node.mapped(), Stage::open);
  open_.erase(node.mapped());
  wait(node.mapped());
}

void TaskTable::launch(const TaskId& id, AgentId agent, Locality locality, Time now) {
  const auto node = opened_.extract(id);
  PROFFER_CHECK(!node.empty(), "only an open attempt can be launched");
  const auto index = node.mapped();
  const bool backup = tasks_.at(index).backup == id;
  attempts_.emplace(id, Attempt{index, agent, locality, now, true, backup, {}});
  if (backup) return;
  expect(index, Stage::open).stage = Stage::running;
  open_.erase(index);
  ++running_;
}

void TaskTable::learn(std::uint32_t index, const Tries& tries) {
  auto& known = tasks_.at(index).tries;
  known.attempts = std::max(known.attempts, tries.attempts);
  known.failures = std::max(known.failures, tries.failures);
  known.losses = std::max(known.losses, tries.losses);
  known.excuses = std::max(known.excuses, tries.excuses);
}

bool TaskTable::adopt(const TaskId& id, std::uint32_t index, AgentId agent, Time now) {
  auto& task = tasks_.at(index);
  if (task.stage != Stage::waiting) return false;
  task.stage = Stage::running;
  task.attempt = id;
  waiting_.erase(index);
  attempts_.emplace(id, Attempt{index, agent, Locality::any, now, true, false, {}});
  ++running_;
  return true;
}

void TaskTable::restore(const TaskId& id, std::uint32_t index) { win(index, id); }

void TaskTable::leave(std::uint32_t index, const TaskId& id) {
  auto& task = expect(index, Stage::running);
  PROFFER_CHECK(!opened_.contains(task.backup), "a backup without a slot goes before its first attempt does");
  if (task.backup.value.empty()) {
    --running_;
    return wait(index);
  }
  if (task.attempt == id) task.attempt = task.backup;
  task.backup = {};
}

std::optional<Attempt> TaskTable::end(const TaskId& id) {
  auto node = attempts_.extract(id);
  if (node.empty()) return {};
  if (node.mapped().current) leave(node.mapped().index, id);
  return std::move(node.mapped());
}

void TaskTable::win(std::uint32_t index, const TaskId& id) {
  auto& task = expect(index, Stage::waiting);
  task.stage = Stage::done;
  task.attempt = id;  // of two attempts the other may have been the later one to leave
  waiting_.erase(index);
  winners_.emplace(id, index);
  ++done_;
}

void TaskTable::abandon(const TaskId& id) {
  auto& attempt = attempts_.at(id);
  if (!attempt.current) return;
  attempt.current = false;
  leave(attempt.index, id);
}

void TaskTable::lose(std::uint32_t index) {
  const auto& task = expect(index, Stage::done);
  winners_.erase(task.attempt);
  --done_;
  wait(index);
}

void TaskTable::note_failure(const TaskId& id, std::string text) {
  if (const auto at = attempts_.find(id); at != attempts_.end()) at->second.failure = std::move(text);
}

void TaskTable::excuse(const TaskId& id) {
  if (const auto at = attempts_.find(id); at != attempts_.end()) at->second.excused = true;
}

std::optional<std::uint32_t> TaskTable::won_by(const TaskId& id) const {
  const auto at = winners_.find(id);
  return at == winners_.end() ? std::nullopt : std::optional(at->second);
}

TaskProgress TaskTable::progress() const { return {size(), running_, done_}; }

void TaskTable::check_invariants() const {
  std::uint32_t running = 0;
  for (const auto& [id, attempt] : attempts_) {
    if (!attempt.current) continue;
    const auto& task = tasks_.at(attempt.index);
    const bool is_first = task.attempt == id;
    if (is_first) ++running;
    PROFFER_CHECK(task.stage == Stage::running && (is_first || task.backup == id),
                  "a current attempt that its task does not know");
  }
  const auto open = std::count_if(opened_.begin(), opened_.end(), [&](const auto& attempt) {
    return tasks_.at(attempt.second).backup != attempt.first;
  });
  for (std::uint32_t index = 0; index < size(); ++index) {
    PROFFER_CHECK(backup(index).value.empty() || runs(index), "a backup of a task that does not run");
  }
  for (const auto& [id, index] : winners_) {
    const auto& task = tasks_.at(index);
    PROFFER_CHECK(task.stage == Stage::done && task.attempt == id, "a winner of a task that is not done");
  }
  PROFFER_CHECK(running == running_ && winners_.size() == done_, "tasks are miscounted");
  PROFFER_CHECK(open == std::ssize(open_), "an open task without an attempt");
  PROFFER_CHECK(waiting_.size() + open_.size() + running_ + done_ == tasks_.size(), "a task is lost");
}

}  // namespace proffer::mapreduce
