// The instants at which the jobs of a workload are submitted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/study/workload.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

class Timetable {
 public:
  /// Jobs are known by their number in the workload, which must outlive it.
  Timetable(const study::Workload& workload, Time start);

  /// Returns when the next job is due; none: one must end first, or all are submitted.
  std::optional<Time> next() const;
  /// Returns the jobs that are due, in that order; each job once.
  std::vector<std::uint32_t> take_due(Time now);
  /// Notes that a job has ended; its successors are due some time after. Once a job.
  void ended(std::uint32_t job, Time now);
  std::uint64_t ended_count() const { return ended_; }
  bool all_ended() const { return ended_ == workload_.jobs.size(); }

 private:
  const study::Workload& workload_;
  std::multimap<Time, std::uint32_t> due_;
  std::map<std::string, std::vector<std::uint32_t>> successors_;  // keyed by the name that they wait for
  std::uint64_t ended_ = 0;
};

}  // namespace proffer::live
