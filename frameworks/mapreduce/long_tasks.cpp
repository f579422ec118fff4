#include "frameworks/mapreduce/long_tasks.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::mapreduce {

void LongTasks::launched(JobId id, AgentId agent) {
  auto& job = jobs_[id];
  ++job.running[agent];
  if (job.counted) count(agent, 1);
}

void LongTasks::ended(JobId id, AgentId agent, Duration took) {
  auto& job = jobs_.at(id);
  const auto running = job.running.find(agent);
  PROFFER_CHECK(running != job.running.end(), "a task ended that was not launched there");
  if (--running->second == 0) job.running.erase(running);
  if (job.counted) count(agent, -1);
  if (took <= Duration::zero()) return;
  ++job.ended;
  job.took += took;
  newest_.push_back(took);
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), took), took);
  if (newest_.size() > kRemembered) {
    sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), newest_.front()));
    newest_.pop_front();
  }
  count_anew();
}

void LongTasks::count(AgentId agent, std::int64_t more) {
  long_ += more;
  auto& here = long_on_[agent];
  here += more;
  if (here == 0) long_on_.erase(agent);
}

void LongTasks::count_anew() {
  for (auto& [id, job] : jobs_) {
    if (job.counted == is_long(job)) continue;
    job.counted = !job.counted;
    for (const auto& [agent, tasks] : job.running) count(agent, job.counted ? tasks : -tasks);
  }
}

Duration LongTasks::median() const {
  return sorted_.empty() ? Duration::zero() : sorted_[sorted_.size() / 2];
}

bool LongTasks::is_long(const Job& job) const {
  return job.ended < kKnown || job.took > kLonger * median() * job.ended;
}

bool LongTasks::is_long(JobId id) const {
  const auto at = jobs_.find(id);
  return at == jobs_.end() || at->second.counted;
}

bool LongTasks::crowded(JobId job, AgentId agent, std::size_t placed, std::size_t agents) const {
  if (!is_long(job)) return false;
  const auto at = long_on_.find(agent);
  const auto here = at == long_on_.end() ? 0 : at->second;
  const auto more = static_cast<std::int64_t>(placed);
  return (here + more) * static_cast<std::int64_t>(std::max<std::size_t>(1, agents)) > long_ + more;
}

void LongTasks::check_invariants() const {
  PROFFER_CHECK(newest_.size() == sorted_.size(), "task times are remembered once in each order");
  PROFFER_CHECK(std::is_sorted(sorted_.begin(), sorted_.end()), "task times are out of order");
  std::map<AgentId, std::int64_t> on;
  std::int64_t all = 0;
  for (const auto& [id, job] : jobs_) {
    PROFFER_CHECK(job.counted == is_long(job), "a job counts as long that is not, or the other way round");
    for (const auto& [agent, tasks] : job.running) {
      PROFFER_CHECK(tasks > 0, "no task counts as running");
      if (job.counted) on[agent] += tasks;
      if (job.counted) all += tasks;
    }
  }
  PROFFER_CHECK(on == long_on_ && all == long_, "tasks of long jobs are miscounted");
}

}  // namespace proffer::mapreduce
