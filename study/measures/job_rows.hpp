// Rows of jobs, one for each job of the plan, filled in as frameworks tell of them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/study/plan.hpp"
#include "proffer/study/recorder.hpp"
#include "proffer/study/results.hpp"
#include "proffer/trace.hpp"

namespace proffer::study {

/// Jobs are numbered as in the plan's workload; times are seconds after the start of the run.
class JobRows {
 public:
  explicit JobRows(const Plan& plan);

  /// Takes the beginning of a job. Returns its number; none for a job that is not the plan's.
  std::optional<std::size_t> submitted(std::string_view source, const JobSubmitted& line);
  /// Returns the number of a job that its framework, the source of the line, has submitted.
  std::optional<std::size_t> find(std::string_view source, JobId id) const;
  void placed(std::size_t job, const TaskPlaced& line, double now);
  void finished(std::size_t job, const JobFinished& line, double now);
  const JobRow& operator[](std::size_t job) const { return rows_[job]; }

  /// Completes the rows of a run that ended at `end`. Must be called once.
  std::vector<JobRow> finish(double end, const AloneTimes& alone);

 private:
  const Plan& plan_;
  std::map<std::string, std::size_t, std::less<>> numbers_;     // by name
  std::map<std::pair<std::string, JobId>, std::size_t> by_id_;  // framework and job
  std::map<std::string, std::vector<std::size_t>> successors_;  // of a job, by name
  std::map<std::string, std::vector<std::size_t>> followers_;   // stages that come after a job, by its name
  std::vector<JobRow> rows_;
};

}  // namespace proffer::study
