// Shares of jobs: how evenly those of a run shared its map slots, whichever framework they were in.
// Schedulers that hold all jobs can be compared by it with those that hold one each.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace proffer::study {

class JobShares {
 public:
  /// Takes the samples up to `now` (seconds after the start). To be called with the time of each line before
  /// what it says is applied.
  void until(double now);

  void capacity(std::int64_t slots) { capacity_ = slots; }  ///< map slots of the cluster
  void submitted(std::size_t job, std::int64_t maps);
  void launched(std::size_t job);
  void stopped(std::size_t job);   ///< one of its maps runs no longer
  void finished(std::size_t job);  ///< ... and is done
  void over(std::size_t job) { jobs_.erase(job); }

  /// jain_jobs: Jain's index over x = running / min(equal max-min share, maps left), the mean over samples.
  void measure(std::map<std::string, double>& measures) const;

 private:
  struct Job {
    std::int64_t left = 0;  // maps that have not finished
    std::int64_t running = 0;
  };
  void take();

  std::int64_t capacity_ = 0;
  std::map<std::size_t, Job> jobs_;
  double next_ = 0;
  double sum_ = 0;
  std::uint64_t samples_ = 0;
};

}  // namespace proffer::study
