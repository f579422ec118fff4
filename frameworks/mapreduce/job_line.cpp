#include "frameworks/mapreduce/job_line.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::mapreduce {

void JobLine::add(JobId job) {
  const bool is_new = active_.insert(job).second;
  PROFFER_CHECK(is_new, "a job comes once");
  new_.insert(job);
  chance_ = true;
}

void JobLine::end(JobId job) {
  PROFFER_CHECK(active_.erase(job) == 1, "a job ends that is not in the line");
  new_.erase(job);
  timed_.erase(job);
  killed_.erase(job);
  if (in_pool_.contains(job)) leaving_.insert(job);
  chance_ = true;
}

void JobLine::cancel() {
  cancelled_ = true;
  chance_ = true;
}

void JobLine::kill(JobId job, std::string why) {
  PROFFER_CHECK(active_.contains(job), "a job is killed that has ended");
  killed_.emplace(job, std::move(why));
}

std::vector<JobId> JobLine::unwanted() const {
  if (cancelled_) return {active_.begin(), active_.end()};
  std::vector<JobId> jobs;
  for (const auto& [job, why] : killed_) jobs.push_back(job);
  return jobs;
}

std::string JobLine::take_reason(JobId job) {
  auto why = killed_.extract(job);
  return why.empty() ? "it was cancelled" : std::move(why.mapped());
}

void JobLine::enter_pool(JobId job) {
  PROFFER_CHECK(active_.contains(job), "a job's tasks come into the pool after its end");
  in_pool_.insert(job);
}

void JobLine::leave_pool(JobId job) {
  PROFFER_CHECK(leaving_.erase(job) == 1, "a job leaves the pool that has not ended");
  in_pool_.erase(job);
}

void JobLine::wait_for_time(JobId job) {
  PROFFER_CHECK(active_.contains(job), "a job waits for a time after its end");
  timed_.insert(job);
}

void JobLine::check_invariants() const {
  const auto are_active = [this](const std::set<JobId>& jobs) {
    return std::includes(active_.begin(), active_.end(), jobs.begin(), jobs.end());
  };
  PROFFER_CHECK(are_active(new_) && are_active(timed_), "a job is waited for that has ended");
  for (const auto& [job, why] : killed_) PROFFER_CHECK(active_.contains(job), "a killed job has ended");
  for (const auto job : in_pool_) {
    PROFFER_CHECK(active_.contains(job) != leaving_.contains(job), "a job is in the pool for no reason");
  }
  PROFFER_CHECK(std::includes(in_pool_.begin(), in_pool_.end(), leaving_.begin(), leaving_.end()),
                "a job leaves the pool that is not in it");
}

}  // namespace proffer::mapreduce
