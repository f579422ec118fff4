#include "study/measures/job_shares.hpp"

#include <algorithm>

#include "proffer/study/jain.hpp"

namespace proffer::study {
namespace {

/// The level up to which each may have what it wants. `wants` in rising order.
double fill_level(const std::vector<std::int64_t>& wants, std::int64_t slots) {
  auto left = static_cast<double>(slots);
  for (std::size_t i = 0; i < wants.size(); ++i) {
    const auto level = left / static_cast<double>(wants.size() - i);
    if (static_cast<double>(wants[i]) >= level) return level;
    left -= static_cast<double>(wants[i]);
  }
  return static_cast<double>(slots);
}

}  // namespace

void JobShares::until(double now) {
  if (now <= since_) return;
  const auto seconds = now - since_;
  since_ = now;
  if (wants_.size() < 2 || capacity_ == 0) return;
  const auto level = fill_level(wants_, capacity_);
  Jain jain;
  for (const auto& [number, job] : jobs_) {
    if (job.left <= 0) continue;
    jain.add(static_cast<double>(job.running) / std::min(level, static_cast<double>(job.left)));
  }
  const auto index = jain.index();
  if (!index) return;
  sum_ += *index * seconds;
  seconds_ += seconds;
}

void JobShares::begin(double now) {
  until(now);
  since_ = std::max(since_, now);
  sum_ = seconds_ = 0;
}

void JobShares::capacity(std::int64_t slots, double now) {
  until(now);
  capacity_ = slots;
}

void JobShares::submitted(std::size_t job, std::int64_t maps, double now) {
  until(now);
  over(job, now);
  if (maps == 0) return;
  jobs_[job].left = maps;
  wants_.insert(std::upper_bound(wants_.begin(), wants_.end(), maps), maps);
}

JobShares::Job* JobShares::find(std::size_t job, double now) {
  const auto at = jobs_.find(job);
  if (at == jobs_.end()) return nullptr;
  until(now);
  return &at->second;
}

void JobShares::launched(std::size_t job, double now) {
  if (auto* found = find(job, now)) ++found->running;
}

void JobShares::stopped(std::size_t job, double now) {
  if (auto* found = find(job, now)) --found->running;
}

void JobShares::finished(std::size_t job, double now) {
  auto* found = find(job, now);
  if (found == nullptr) return;
  forget_want(found->left--);
  if (found->left <= 0) return;
  wants_.insert(std::upper_bound(wants_.begin(), wants_.end(), found->left), found->left);
}

void JobShares::over(std::size_t job, double now) {
  const auto* found = find(job, now);
  if (found == nullptr) return;
  forget_want(found->left);
  jobs_.erase(job);
}

void JobShares::forget_want(std::int64_t left) {
  const auto at = std::lower_bound(wants_.begin(), wants_.end(), left);
  if (left > 0 && at != wants_.end() && *at == left) wants_.erase(at);
}

void JobShares::measure(double now, std::map<std::string, double>& measures) {
  until(now);
  if (seconds_ > 0) measures["jain_jobs"] = sum_ / seconds_;
}

}  // namespace proffer::study
