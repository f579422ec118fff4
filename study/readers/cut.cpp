// Parts and multiples of workloads.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"

namespace proffer::study {
namespace {

/// Only the files that are read, numbered afresh.
void drop_unread_files(Workload& workload) {
  std::vector<WorkloadFile> files;
  std::map<std::uint32_t, std::uint32_t> moved;
  for (auto& job : workload.jobs) {
    if (!job.file) continue;
    const auto [found, is_new] = moved.try_emplace(*job.file, static_cast<std::uint32_t>(files.size()));
    if (is_new) files.push_back(std::move(workload.files[*job.file]));
    job.file = found->second;
  }
  workload.files = std::move(files);
}

/// Returns how many jobs come of the first `jobs` jobs, copies counted.
std::uint64_t scaled(std::size_t jobs, double factor) {
  // A hair above, so that three times a third is one.
  return static_cast<std::uint64_t>(std::floor(static_cast<double>(jobs) * factor + 1e-9));
}

/// Files that several jobs read stay shared among their copies of the same number.
class Copies {
 public:
  explicit Copies(Workload& workload) : workload_(workload) {}

  WorkloadJob copy(const WorkloadJob& job, std::uint64_t number) {
    auto copy = job;
    if (number == 1) return copy;
    copy.name = fmt::format("{}#{}", job.name, number);
    if (job.file) copy.file = file(*job.file, number);
    return copy;
  }

 private:
  std::uint32_t file(std::uint32_t original, std::uint64_t number) {
    const auto [found, is_new] =
        files_.try_emplace({original, number}, static_cast<std::uint32_t>(workload_.files.size()));
    if (is_new) {
      auto file = workload_.files[original];
      file.path = fmt::format("{}#{}", file.path, number);
      workload_.files.push_back(std::move(file));
    }
    return found->second;
  }

  Workload& workload_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> files_;
};

}  // namespace

Workload scale(Workload workload, const TraceScale& factors) {
  PROFFER_CHECK(factors.jobs > 0 && factors.arrival > 0, "a scale is above zero");
  std::vector<WorkloadJob> jobs;
  Copies copies(workload);
  for (std::size_t i = 0; i < workload.jobs.size(); ++i) {
    const auto here = scaled(i + 1, factors.jobs) - scaled(i, factors.jobs);
    for (std::uint64_t number = 1; number <= here; ++number)
      jobs.push_back(copies.copy(workload.jobs[i], number));
  }
  for (auto& job : jobs) {
    job.submit = Duration{std::llround(static_cast<double>(job.submit.count()) * factors.arrival)};
  }
  workload.jobs = std::move(jobs);
  sort_jobs(workload.jobs);
  drop_unread_files(workload);
  return workload;
}

Workload cut(Workload workload, const TraceWindow& window) {
  std::erase_if(workload.jobs, [&](const WorkloadJob& job) {
    return job.submit < window.from || (window.to && job.submit >= *window.to);
  });
  if (window.first && *window.first < workload.jobs.size()) workload.jobs.resize(*window.first);
  for (auto& job : workload.jobs) job.submit -= window.from;
  drop_unread_files(workload);
  return workload;
}

}  // namespace proffer::study
