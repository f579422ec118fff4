#include "frameworks/mapreduce/long_tasks.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::mapreduce {

void LongTasks::uses(JobId id, BlockId file) {
  auto& job = jobs_[id];
  PROFFER_CHECK(job.running.empty(), "a job of which tasks run already begins to use a file");
  if (job.files.insert(file).second) ++files_[file].users;
}

void LongTasks::launched(JobId id, AgentId agent) {
  auto& job = jobs_[id];
  ++job.running[agent];
  count(job, agent, 1);
}

void LongTasks::ended(JobId id, AgentId agent, Duration took) {
  auto& job = jobs_.at(id);
  const auto running = job.running.find(agent);
  PROFFER_CHECK(running != job.running.end(), "a task ended that was not launched there");
  if (--running->second == 0) job.running.erase(running);
  count(job, agent, -1);
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

void LongTasks::forget(JobId id) {
  const auto at = jobs_.find(id);
  if (at == jobs_.end()) return;
  for (const auto file : at->second.files) {
    if (--files_.at(file).users == 0) files_.erase(file);
  }
  jobs_.erase(at);
}

void LongTasks::count(const Job& job, AgentId agent, std::int64_t more) {
  if (job.counted) long_.count(agent, more);
  for (const auto file : job.files) files_.at(file).tasks.count(agent, more);
}

void LongTasks::count_anew() {
  for (auto& [id, job] : jobs_) {
    if (job.counted == is_long(job)) continue;
    job.counted = !job.counted;
    for (const auto& [agent, tasks] : job.running) long_.count(agent, job.counted ? tasks : -tasks);
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

std::int64_t LongTasks::running(JobId id, AgentId agent) const {
  const auto job = jobs_.find(id);
  if (job == jobs_.end()) return 0;
  const auto tasks = job->second.running.find(agent);
  return tasks == job->second.running.end() ? 0 : tasks->second;
}

bool LongTasks::crowded(JobId id, AgentId agent, std::size_t placed, std::size_t agents) const {
  if (is_long(id) && long_.above_mean(agent, placed, agents)) return true;
  const auto job = jobs_.find(id);
  if (job == jobs_.end()) return false;
  return std::any_of(job->second.files.begin(), job->second.files.end(), [&](BlockId id_of_file) {
    const auto& file = files_.at(id_of_file);
    return file.users > 1 && file.tasks.above_mean(agent, placed, agents);
  });
}

void LongTasks::check_invariants() const {
  PROFFER_CHECK(newest_.size() == sorted_.size(), "task times are remembered once in each order");
  PROFFER_CHECK(std::is_sorted(sorted_.begin(), sorted_.end()), "task times are out of order");
  Spread long_tasks;
  std::map<BlockId, File> files;
  for (const auto& [id, job] : jobs_) {
    PROFFER_CHECK(job.counted == is_long(job), "a job counts as long that is not, or the other way round");
    for (const auto file : job.files) ++files[file].users;
    for (const auto& [agent, tasks] : job.running) {
      PROFFER_CHECK(tasks > 0, "no task counts as running");
      if (job.counted) long_tasks.count(agent, tasks);
      for (const auto file : job.files) files[file].tasks.count(agent, tasks);
    }
  }
  PROFFER_CHECK(long_tasks == long_, "tasks of long jobs are miscounted");
  PROFFER_CHECK(files == files_, "users of cached files are miscounted");
}

}  // namespace proffer::mapreduce
