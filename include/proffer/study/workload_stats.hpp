// The totals of a workload, before anything runs it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "proffer/study/workload.hpp"

namespace proffer::study {

struct WorkloadStats {
  static constexpr std::array kPercentiles{50, 75, 90, 95, 99, 100};

  std::uint64_t jobs = 0;
  std::uint64_t maps = 0;
  std::uint64_t reduces = 0;
  std::uint64_t nodes = 0;
  std::uint64_t files = 0;
  std::uint64_t blocks = 0;
  std::uint64_t located_blocks = 0;  ///< blocks with replicas whose nodes are named
  std::uint64_t input_bytes = 0;     ///< bytes read by all maps
  std::uint64_t map_output_bytes = 0;
  std::uint64_t reduce_output_bytes = 0;
  double first_submit = 0;  ///< seconds
  double last_submit = 0;
  double map_seconds = 0;  ///< computing time of all maps
  double reduce_seconds = 0;
  /// One value for each of kPercentiles, nearest rank.
  std::array<std::uint64_t, kPercentiles.size()> maps_per_job{};
  std::vector<std::pair<std::string, std::uint64_t>> bins;  ///< number of jobs in each bin, small jobs first

  double span() const { return last_submit - first_submit; }
};

WorkloadStats workload_stats(const Workload& workload);

/// The share of that many slots which the computing time fills while jobs arrive; 0 when all come at once.
double load_on(std::uint64_t slots, double seconds_of_work, double span);

}  // namespace proffer::study
