// The bytes that maps read, and those that they left for reduces: jobs keep these until they end
// (UCB/EECS-2009-55, §5).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "proffer/study/plan.hpp"

namespace proffer::study {

/// Returns what a map of the job reads on the average.
double map_bytes_of(const Plan& plan, const WorkloadJob& job);
/// Returns what a job's maps leave for its reduces. Without reduces it is none: their output is the job's.
double map_output_of(const WorkloadJob& job);

/// Jobs by their number in the plan's workload. Each map counts for the mean of its job.
class ByteCounts {
 public:
  explicit ByteCounts(const Plan& plan);

  void map_finished(std::size_t job);
  void over(std::size_t job);
  /// Measures are of the time from now on.
  void begin();

  /// input_bytes and bytes_per_second (over so many `seconds`) where anything was read;
  /// intermediate_bytes_max where anything was kept.
  void measure(double seconds, std::map<std::string, double>& measures) const;

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
