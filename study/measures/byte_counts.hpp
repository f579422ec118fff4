// The bytes that maps read, and those that they left for reduces: jobs keep these until they end
// (UCB/EECS-2009-55, §5).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "proffer/study/plan.hpp"

namespace proffer::study {

/// Jobs by their number in the plan's workload. Each map counts for the mean of its job.
class ByteCounts {
 public:
  explicit ByteCounts(const Plan& plan);

  /// Returns, by job, what a map reads on the average.
  const std::vector<double>& map_bytes() const { return map_bytes_; }

  void map_finished(std::size_t job);
  void over(std::size_t job);

  /// input_bytes and bytes_per_second (over the run's `end`, in seconds) where anything was read;
  /// intermediate_bytes_max where anything was kept.
  void measure(double end, std::map<std::string, double>& measures) const;

 private:
  struct Kept {
    double of_map = 0;
    double most = 0;  // of all maps: one that runs again keeps nothing twice
    double now = 0;
    bool over = false;
  };
  std::vector<double> map_bytes_;
  std::vector<Kept> kept_;
  double read_ = 0;
  double all_kept_ = 0;
  double most_kept_ = 0;
};

}  // namespace proffer::study
