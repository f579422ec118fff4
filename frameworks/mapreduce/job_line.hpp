// The line of a framework's jobs: which of them have not ended, and what has to be done about them.
//
// Invariant: only jobs that have not ended are new, are to be killed, or wait for a time; a job that the pool
// of tasks knows has either not ended, or is leaving the pool.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"

namespace proffer::mapreduce {

class JobLine {
 public:
  /// Puts a job, which was never here, at the end of the line. It may begin.
  void add(JobId job);
  /// Ends a job that has not ended. The pool may still know it: see leaving(). Another one may begin.
  void end(JobId job);
  /// Jobs that have not ended.
  const std::set<JobId>& active() const { return active_; }
  /// Jobs that were added since the last call and have not ended, in order of their ids.
  std::set<JobId> take_new() { return std::exchange(new_, {}); }

  /// Notes that a queued job may begin now, for another reason than that one came or ended.
  void note_chance() { chance_ = true; }
  bool has_chance() const { return chance_; }
  /// True when a queued job may begin, for the first call after that became so.
  bool take_chance() { return std::exchange(chance_, false); }

  /// Notes that all jobs are unwanted from now on, also those that come later.
  void cancel();
  bool is_cancelled() const { return cancelled_; }
  /// Notes that a job is unwanted; a second reason does not replace the first.
  void kill(JobId job, std::string why);
  /// Jobs that have not ended and are unwanted, in order of their ids.
  std::vector<JobId> unwanted() const;
  /// The reason for which an unwanted job fails, in one sentence. A kill is carried out once: the job stays
  /// unwanted only when all are.
  std::string take_reason(JobId job);

  /// Notes that the job's tasks come into the pool of tasks.
  void enter_pool(JobId job);
  /// Notes that the pool knows the job no more. Only jobs that are leaving leave.
  void leave_pool(JobId job);
  const std::set<JobId>& in_pool() const { return in_pool_; }
  /// Jobs that have ended and that the pool still knows, because some of their tasks have not ended.
  const std::set<JobId>& leaving() const { return leaving_; }

  /// Notes that the job may have something to do at a certain time.
  void wait_for_time(JobId job);
  const std::set<JobId>& timed() const { return timed_; }

  /// Aborts unless the invariant holds.
  void check_invariants() const;

 private:
  std::set<JobId> active_;
  std::set<JobId> new_;
  std::set<JobId> timed_;
  std::set<JobId> in_pool_;
  std::set<JobId> leaving_;
  std::map<JobId, std::string> killed_;  ///< reasons, by job
  bool chance_ = false;
  bool cancelled_ = false;
};

}  // namespace proffer::mapreduce
