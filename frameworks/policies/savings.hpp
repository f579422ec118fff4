// The time that a node-local launch saves, as a framework learns it from its own tasks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::policies {

/// How much longer tasks run that read from elsewhere. Tasks are compared within their job, since jobs differ
/// more than places do: n node-local tasks and m others of a job weigh n m / (n + m), by which the variance
/// of the difference of their means goes.
class Savings {
 public:
  /// Notes a task that ran for so long. `near`: it was node-local.
  void finished(JobId job, bool near, Duration run_time);
  /// The job has ended: what it has shown stays.
  void forget(JobId job) { jobs_.erase(job); }

  /// Returns the mean time of a task; none before one has ended.
  std::optional<Duration> task_time() const { return all_.mean(); }
  /// Returns what a node-local launch is taken to save: the mean of what was seen and of a guess, which
  /// counts as much as two tasks.
  Duration expected() const;

 private:
  struct Times {
    Duration sum{};
    std::int64_t count = 0;
    void add(Duration time);
    std::optional<Duration> mean() const;
  };
  struct Differences {
    std::int64_t weight = 0;  ///< in 64ths of a task
    Duration sum{};           ///< differences times weights
  };
  struct Job {
    Times near;
    Times far;
    Differences counted;  ///< its part of those of all jobs
  };
  static Differences difference(const Job& job);

  std::map<JobId, Job> jobs_;
  Times all_;
  Differences of_all_;
};

}  // namespace proffer::policies
