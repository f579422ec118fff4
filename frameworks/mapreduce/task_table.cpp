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
  task.attempt = TaskId{prefix_ + padded(index) + "-" + std::to_string(task.tries.attempts++)};
  waiting_.erase(index);
  open_.insert(index);
  opened_.emplace(task.attempt, index);
  return task.attempt;
}

void TaskTable::close(const TaskId& id) {
  const auto node = opened_.extract(id);
  PROFFER_CHECK(!node.empty(), "only an open attempt can be taken back");
  expect(node.mapped(), Stage::open);
  open_.erase(node.mapped());
  wait(node.mapped());
}

void TaskTable::launch(const TaskId& id, AgentId agent, Locality locality) {
  const auto node = opened_.extract(id);
  PROFFER_CHECK(!node.empty(), "only an open attempt can be launched");
  const auto index = node.mapped();
  expect(index, Stage::open).stage = Stage::running;
  open_.erase(index);
  attempts_.emplace(id, Attempt{index, agent, locality, true, {}});
  ++running_;
}

void TaskTable::learn(std::uint32_t index, const Tries& tries) {
  auto& known = tasks_.at(index).tries;
  known.attempts = std::max(known.attempts, tries.attempts);
  known.failures = std::max(known.failures, tries.failures);
  known.losses = std::max(known.losses, tries.losses);
  known.excuses = std::max(known.excuses, tries.excuses);
}

bool TaskTable::adopt(const TaskId& id, std::uint32_t index, AgentId agent) {
  auto& task = tasks_.at(index);
  if (task.stage != Stage::waiting) return false;
  task.stage = Stage::running;
  task.attempt = id;
  waiting_.erase(index);
  attempts_.emplace(id, Attempt{index, agent, Locality::any, true, {}});
  ++running_;
  return true;
}

void TaskTable::restore(const TaskId& id, std::uint32_t index) {
  expect(index, Stage::waiting).attempt = id;
  win(index, id);
}

std::optional<Attempt> TaskTable::end(const TaskId& id) {
  auto node = attempts_.extract(id);
  if (node.empty()) return {};
  const auto& attempt = node.mapped();
  if (attempt.current) {
    expect(attempt.index, Stage::running);
    --running_;
    wait(attempt.index);
  }
  return std::move(node.mapped());
}

void TaskTable::win(std::uint32_t index, const TaskId& id) {
  auto& task = expect(index, Stage::waiting);
  PROFFER_CHECK(task.attempt == id, "another attempt than the last has won");
  task.stage = Stage::done;
  waiting_.erase(index);
  winners_.emplace(id, index);
  ++done_;
}

void TaskTable::abandon(const TaskId& id) {
  auto& attempt = attempts_.at(id);
  if (!attempt.current) return;
  attempt.current = false;
  expect(attempt.index, Stage::running);
  --running_;
  wait(attempt.index);
}

void TaskTable::lose(std::uint32_t index) {
  const auto& task = expect(index, Stage::done);
  winners_.erase(task.attempt);
  --done_;
  wait(index);
}

std::uint32_t TaskTable::count_failure(std::uint32_t index) { return ++tasks_.at(index).tries.failures; }

std::uint32_t TaskTable::count_loss(std::uint32_t index) { return ++tasks_.at(index).tries.losses; }

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
    ++running;
    const auto& task = tasks_.at(attempt.index);
    PROFFER_CHECK(task.stage == Stage::running && task.attempt == id, "two current attempts at one task");
  }
  for (const auto& [id, index] : winners_) {
    const auto& task = tasks_.at(index);
    PROFFER_CHECK(task.stage == Stage::done && task.attempt == id, "a winner of a task that is not done");
  }
  PROFFER_CHECK(running == running_ && winners_.size() == done_, "tasks are miscounted");
  PROFFER_CHECK(opened_.size() == open_.size(), "an open task without an attempt");
  PROFFER_CHECK(waiting_.size() + open_.size() + running_ + done_ == tasks_.size(), "a task is lost");
}

}  // namespace proffer::mapreduce
