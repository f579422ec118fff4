// The rows of a run's jobs. Its invariant: there is one row for each job of the workload, in its order; a job that
// was submitted is found by its framework and the id it got there.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"

namespace proffer::study {

class JobRows {
 public:
  explicit JobRows(const Workload& workload);

  /// Returns the number of a job in the workload, which is submitted to a framework now; none: the workload has no
  /// job of that name.
  std::optional<std::size_t> submitted(std::string_view framework, JobId id, const std::string& name);
  /// Returns the number of a job that was submitted; none: the workload has no such job.
  std::optional<std::size_t> find(std::string_view framework, JobId id) const;
  /// Notes when a job is over, in seconds. The submission of its successors is known from then on.
  void finished(std::size_t number, double at, bool ok);

  JobRow& operator[](std::size_t number) { return rows_[number]; }
  std::vector<JobRow>& all() { return rows_; }

 private:
  const Workload& workload_;
  std::vector<JobRow> rows_;
  std::map<std::string, std::size_t, std::less<>> numbers_;     ///< by name
  std::map<std::pair<std::string, JobId>, std::size_t> by_id_;  ///< by framework and id
  std::map<std::string, std::vector<std::size_t>> successors_;  ///< of a job, by its name
};

}  // namespace proffer::study
