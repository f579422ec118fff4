// Shares of jobs: how evenly those of a run shared its map slots, whichever framework they were in.
// Schedulers that hold all jobs can be compared by it with those that hold one each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace proffer::study {

/// Times are seconds after the start.
class JobShares {
 public:
  /// Integrates up to `now`, with things as they are. Changes do so first themselves.
  void until(double now);
  /// The measure is of the time from `now` on.
  void begin(double now);

  void capacity(std::int64_t slots, double now);  ///< map slots of the cluster
  void submitted(std::size_t job, std::int64_t maps, double now);
  void launched(std::size_t job, double now);
  void stopped(std::size_t job, double now);   ///< one of its maps runs no longer
  void finished(std::size_t job, double now);  ///< ... and is done
  void over(std::size_t job, double now);

  /// jain_jobs: Jain's index over x = running / min(equal max-min share, maps left), the mean over the time
  /// in which there are two jobs.
  void measure(double now, std::map<std::string, double>& measures);

 private:
  struct Job {
    std::int64_t left = 0;  // maps that have not finished
    std::int64_t running = 0;
  };
  Job* find(std::size_t job, double now);
  void forget_want(std::int64_t left);

  std::int64_t capacity_ = 0;
  std::map<std::size_t, Job> jobs_;
  std::vector<std::int64_t> wants_;  // maps left of those that have some, in rising order
  double since_ = 0;
  double sum_ = 0;      // of the index over time
  double seconds_ = 0;  // in which there was one
};

}  // namespace proffer::study
