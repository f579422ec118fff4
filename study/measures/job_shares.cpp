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
  for (; next_ < now; next_ += 1) take();
}

void JobShares::submitted(std::size_t job, std::int64_t maps) {
  if (maps > 0) jobs_[job].left = maps;
}

void JobShares::launched(std::size_t job) {
  if (const auto at = jobs_.find(job); at != jobs_.end()) ++at->second.running;
}

void JobShares::stopped(std::size_t job) {
  if (const auto at = jobs_.find(job); at != jobs_.end()) --at->second.running;
}

void JobShares::finished(std::size_t job) {
  if (const auto at = jobs_.find(job); at != jobs_.end()) --at->second.left;
}

void JobShares::take() {
  std::vector<std::int64_t> wants;
  for (const auto& [number, job] : jobs_) {
    if (job.left > 0) wants.push_back(job.left);
  }
  std::sort(wants.begin(), wants.end());
  const auto level = fill_level(wants, capacity_);
  Jain jain;
  for (const auto& [number, job] : jobs_) {
    if (job.left <= 0) continue;
    jain.add(static_cast<double>(job.running) / std::min(level, static_cast<double>(job.left)));
  }
  const auto index = jain.index();
  if (!index) return;
  sum_ += *index;
  ++samples_;
}

void JobShares::measure(std::map<std::string, double>& measures) const {
  if (samples_ > 0) measures["jain_jobs"] = sum_ / static_cast<double>(samples_);
}

}  // namespace proffer::study
