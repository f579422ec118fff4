#include "frameworks/mapreduce/long_tasks.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::mapreduce {

void LongTasks::launched(JobId job, AgentId agent) { ++jobs_[job].running[agent]; }

void LongTasks::ended(JobId id, AgentId agent, Duration took) {
  auto& job = jobs_.at(id);
  const auto running = job.running.find(agent);
  PROFFER_CHECK(running != job.running.end(), "a task ended that was not launched there");
  if (--running->second == 0) job.running.erase(running);
  if (took <= Duration::zero()) return;
  ++job.ended;
  job.took += took;
  newest_.push_back(took);
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), took), took);
  if (newest_.size() <= kRemembered) return;
  sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), newest_.front()));
  newest_.pop_front();
}

Duration LongTasks::median() const {
  return sorted_.empty() ? Duration::zero() : sorted_[sorted_.size() / 2];
}

bool LongTasks::is_long(JobId id) const {
  const auto at = jobs_.find(id);
  if (at == jobs_.end() || at->second.ended < kKnown) return true;
  return at->second.took > kLonger * median() * at->second.ended;
}

bool LongTasks::crowded(JobId job, AgentId agent, std::size_t placed, std::size_t agents) const {
  if (!is_long(job)) return false;
  std::int64_t all = 0;
  std::int64_t here = 0;
  for (const auto& [id, other] : jobs_) {
    if (other.running.empty() || !is_long(id)) continue;
    for (const auto& [where, tasks] : other.running) {
      all += tasks;
      here += where == agent ? tasks : 0;
    }
  }
  const auto more = static_cast<std::int64_t>(placed);
  return (here + more) * static_cast<std::int64_t>(std::max<std::size_t>(1, agents)) > all + more;
}

void LongTasks::check_invariants() const {
  PROFFER_CHECK(newest_.size() == sorted_.size(), "task times are remembered once in each order");
  PROFFER_CHECK(std::is_sorted(sorted_.begin(), sorted_.end()), "task times are out of order");
  for (const auto& [id, job] : jobs_) {
    for (const auto& [agent, tasks] : job.running) PROFFER_CHECK(tasks > 0, "no task counts as running");
  }
}

}  // namespace proffer::mapreduce
