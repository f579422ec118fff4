// Jobs of like size, put together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "proffer/study/report.hpp"

namespace proffer::study::reporting {

/// The bins that the workload named; where it named none, or too many to show, classes by number of maps.
class JobBins {
 public:
  explicit JobBins(const ReportInput& input);
  std::string name_of(const JobRow& job) const;
  /// Returns the names of the bins, from small jobs to large ones.
  const std::vector<std::string>& names() const { return names_; }

 private:
  bool named_ = true;
  std::vector<std::string> names_;
};

/// The places of jobs on an axis of job sizes: a job's number of maps, or, when there are many different
/// ones, the mean of a class of them.
class SizeClasses {
 public:
  explicit SizeClasses(const ReportInput& input);
  double size_of(const JobRow& job) const;

 private:
  std::map<std::uint32_t, double> sizes_;
};

}  // namespace proffer::study::reporting
