#include "frameworks/mapreduce/job_reporter.hpp"

#include <utility>

namespace proffer::mapreduce {

void JobReporter::progressed(const Job& job) {
  if (!observer_) return;
  auto progress = job.progress();
  auto& last = told_[job.id];
  if (last == progress) return;
  last = std::move(progress);
  observer_->job_progressed(last);
}

void JobReporter::waits(const Job& job, const std::string& why, Duration at_most) const {
  if (observer_) observer_->job_waits(job.progress(), why, at_most);
}

void JobReporter::task_failed(JobId job, const TaskId& task, const std::string& why) const {
  if (observer_) observer_->task_failed(job, task, why);
}

void JobReporter::ended(const Job& job) {
  if (!observer_) return;
  told_.erase(job.id);
  observer_->job_ended(job.report());
}

}  // namespace proffer::mapreduce
