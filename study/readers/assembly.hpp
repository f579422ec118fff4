// A workload in the making: what all readers do with the jobs they find.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/random.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/readers/field.hpp"

namespace proffer::study {

/// `total` in so many parts that differ by one at most, the larger ones first. Aborts on no parts.
std::vector<std::uint64_t> parts_of(std::uint64_t total, std::size_t parts);

/// Sorts jobs by submit time, then name.
void sort_jobs(std::vector<WorkloadJob>& jobs);

/// The random numbers of one job's tasks.
Random stream_of(const TraceSettings& settings, const std::string& job);

class Assembly {
 public:
  explicit Assembly(std::string_view file) : file_(file) {}

  /// `invalid` when a job of that name is there already, or when no framework would take a job of so many
  /// tasks.
  Result<> add_job(TracePlace place, WorkloadJob job);
  /// The jobs as they were added.
  std::vector<WorkloadJob>& jobs() { return workload_.jobs; }
  const std::vector<WorkloadJob>& jobs() const { return workload_.jobs; }
  /// As input of the next job.
  std::uint32_t add_file(std::string path, std::vector<WorkloadBlock> blocks);
  /// `invalid` when that node stands in another rack already.
  Result<> add_node(TracePlace place, const std::string& name, const std::string& rack);
  bool has_node(const std::string& name) const { return racks_.contains(name); }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }

  /// Sorted; `from_first`: times count from the first job on. `invalid` when there is no job.
  Result<TraceRead> finish(bool from_first);

 private:
  std::string_view file_;
  Workload workload_;
  std::map<std::string, std::uint32_t> lines_;  // job -> where it was first
  std::map<std::string, std::string> racks_;
  std::vector<std::string> notes_;
};

}  // namespace proffer::study
