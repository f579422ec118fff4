#include "frameworks/mapreduce/backups.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

constexpr std::int64_t kMilli = 1000;

}  // namespace

void Backups::launched(JobId job) {
  most_ = std::max(most_, ++running_);
  look_now(job);
}

void Backups::ended(JobId job, const TaskId& attempt) {
  PROFFER_CHECK(running_ > 0, "more attempts at maps end than were launched");
  if (--running_ == 0) most_ = 0;
  closed(attempt);
  look_now(job);
}

void Backups::closed(const TaskId& backup) {
  if (backups_.erase(backup) == 0) return;
  for (const auto job : std::exchange(no_room_, {})) look_now(job);
}

bool Backups::has_room() const {
  return std::ssize(backups_) < std::max<std::int64_t>(1, most_ * rules_.cap_milli / kMilli);
}

void Backups::look_now(JobId job) { look_at(job, Time{}); }

void Backups::look_at(JobId job, Time at) {
  if (!rules_.on) return;
  no_room_.erase(job);
  looks_[job] = at;
}

void Backups::wait_for_room(JobId job) {
  looks_.erase(job);
  no_room_.insert(job);
}

std::optional<Time> Backups::next() const {
  std::optional<Time> next;
  for (const auto& [job, at] : looks_) next = earlier(next, at);
  return next;
}

std::optional<JobId> Backups::take_due(Time now) {
  const auto due =
      std::find_if(looks_.begin(), looks_.end(), [&](const auto& look) { return look.second <= now; });
  if (due == looks_.end()) return {};
  return looks_.extract(due).key();
}

void Backups::check_invariants() const {
  for (const auto job : no_room_) PROFFER_CHECK(!looks_.contains(job), "a job waits for room and for a time");
}

}  // namespace proffer::mapreduce
