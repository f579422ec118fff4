#include "frameworks/mapreduce/launches.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::mapreduce {

void Launches::offered(AgentId agent, Time now) {
  if (balances_) recent_.offered(agent, now);
}

void Launches::launched(const TaskId& attempt, const Owner& owner) {
  const bool is_new = owners_.emplace(attempt, owner).second;
  PROFFER_CHECK(is_new, "an attempt is launched twice");
  if (balances_) long_tasks_.launched(owner.job, owner.agent);
  changed_ = true;
}

std::optional<Owner> Launches::owner_of(const TaskId& attempt) const {
  const auto at = owners_.find(attempt);
  return at == owners_.end() ? std::nullopt : std::optional(at->second);
}

void Launches::ended(const TaskId& attempt, Duration took) {
  const auto node = owners_.extract(attempt);
  PROFFER_CHECK(!node.empty(), "an attempt ends that was not launched");
  if (balances_) long_tasks_.ended(node.mapped().job, node.mapped().agent, took);
  changed_ = true;
}

void Launches::uses(JobId job, BlockId file) {
  if (balances_) long_tasks_.uses(job, file);
}

void Launches::forget(JobId job) { long_tasks_.forget(job); }

bool Launches::crowded(JobId job, AgentId agent, std::size_t placed) {
  if (!balances_ || !long_tasks_.crowded(job, agent, placed, recent_.count())) return false;
  refused_ = true;
  return true;
}

bool Launches::take_relief() {
  // A refusal is remembered until something has changed: forgotten earlier, nobody would revive what it
  // refused.
  return std::exchange(changed_, false) && std::exchange(refused_, false);
}

void Launches::check_invariants() const {
  long_tasks_.check_invariants();
  if (!balances_) return;
  std::map<std::pair<JobId, AgentId>, std::int64_t> running;
  for (const auto& [attempt, owner] : owners_) ++running[{owner.job, owner.agent}];
  for (const auto& [where, tasks] : running) {
    PROFFER_CHECK(long_tasks_.running(where.first, where.second) == tasks,
                  "launched attempts are miscounted");
  }
}

}  // namespace proffer::mapreduce
