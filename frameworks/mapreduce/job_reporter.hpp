// The reports to an observer of jobs.
//
// Invariant: of a job that has not ended it is told each change of phase or progress once, and nothing of its
// progress after its end.
#pragma once

#include <map>
#include <string>

#include "frameworks/mapreduce/job.hpp"
#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::mapreduce {

class JobReporter {
 public:
  /// `observer` may be null, and then nobody is told; else it must outlive this.
  explicit JobReporter(JobObserver* observer) : observer_(observer) {}

  bool is_heard() const { return observer_ != nullptr; }
  /// Tells how far the job is, unless that was told already.
  void progressed(const Job& job);
  /// The job cannot go on, and waits for so long at most.
  void waits(const Job& job, const std::string& why, Duration at_most) const;
  void task_failed(JobId job, const TaskId& task, const std::string& why) const;
  void ended(const Job& job);

 private:
  JobObserver* observer_;
  std::map<JobId, JobProgress> told_;  ///< the last report of each job that has not ended
};

}  // namespace proffer::mapreduce
