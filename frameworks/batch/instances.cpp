#include "frameworks/batch/instances.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::batch {
namespace {

constexpr std::uint32_t kMostBlamed = 10;

/// The try that a task id of ours names.
std::uint32_t try_of(const TaskId& task) {
  return static_cast<std::uint32_t>(std::stoul(task.value.substr(task.value.find('_') + 1)));
}

}  // namespace

std::uint32_t Instances::index_of(const TaskId& task) {
  return static_cast<std::uint32_t>(std::stoul(task.value.substr(task.value.find('-') + 1)));
}

Instances::Instances(std::uint32_t count, std::uint32_t max_attempts, std::uint32_t first_try)
    : max_attempts_(max_attempts), instances_(count, Record{.tries = first_try}) {
  PROFFER_CHECK(count >= 1 && max_attempts >= 1, "a bag has an instance, and an instance an attempt");
  for (std::uint32_t index = 0; index < count; ++index) waiting_.insert(waiting_.end(), index);
}

void Instances::restore(std::uint32_t index, const Record& record) {
  PROFFER_CHECK(waiting_.contains(index), "an instance is restored that does not wait");
  instances_.at(index) = record;
  if (!record.over()) return;
  waiting_.erase(index);
  ++(record.finished ? finished_ : failed_);
}

std::optional<BatchAttempt> Instances::adopt(const TaskId& task) {
  const auto index = index_of(task);
  if (index >= instances_.size()) return {};
  auto& instance = instances_[index];
  const bool newest = try_of(task) + 1 >= instance.tries;
  instance.tries = std::max(instance.tries, try_of(task) + 1);
  if (!newest || waiting_.erase(index) == 0) return {};
  out_.emplace(task, index);
  return BatchAttempt{index, instance.attempts, false};
}

TaskId Instances::task(std::uint32_t index) const {
  return {fmt::format("run-{:05}_{}", index, instances_.at(index).tries)};
}

BatchAttempt Instances::place(const TaskId& task) {
  const auto index = index_of(task);
  PROFFER_CHECK(waiting_.erase(index) > 0, "an instance that does not wait was placed");
  ++instances_[index].tries;
  out_.emplace(task, index);
  return {index, instances_[index].attempts, false};
}

std::vector<TaskId> Instances::out() const {
  std::vector<TaskId> tasks;
  for (const auto& [task, index] : out_) tasks.push_back(task);
  return tasks;
}

std::optional<BatchAttempt> Instances::find(const TaskId& task) const {
  const auto at = out_.find(task);
  if (at == out_.end()) return {};
  return BatchAttempt{at->second, instances_[at->second].attempts, false};
}

bool Instances::may_blame_agent(const TaskId& task) {
  return ++instances_[out_.at(task)].blamed <= kMostBlamed;
}

BatchAttempt Instances::end(const TaskId& task, bool ok, bool counts) {
  const auto out = out_.extract(task);
  PROFFER_CHECK(!out.empty(), "an instance that is not out has ended");
  const auto index = out.mapped();
  auto& instance = instances_[index];
  BatchAttempt attempt{index, instance.attempts, false};
  if (counts) ++instance.attempts;
  attempt.last = ok || instance.attempts >= max_attempts_;
  instance.finished = ok;
  instance.failed = attempt.last && !ok;
  if (!attempt.last) {
    waiting_.insert(index);
  } else {
    ++(ok ? finished_ : failed_);
  }
  return attempt;
}

}  // namespace proffer::batch
