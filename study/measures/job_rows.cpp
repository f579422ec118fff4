#include "study/measures/job_rows.hpp"

namespace proffer::study {
namespace {

double to_seconds(Duration duration) { return static_cast<double>(duration.count()) * 1e-6; }

JobRow row_of(const WorkloadJob& job) {
  JobRow row;
  row.name = job.name;
  row.framework = job.framework;
  row.pool = job.pool;
  row.user = job.user;
  row.bin = job.bin;
  row.maps = static_cast<std::uint32_t>(job.maps.size());
  row.reduces = static_cast<std::uint32_t>(job.reduces.size());
  if (job.after.empty()) row.submitted = to_seconds(job.submit);
  return row;
}

}  // namespace

JobRows::JobRows(const Workload& workload) : workload_(workload) {
  for (std::size_t n = 0; n < workload.jobs.size(); ++n) {
    const auto& job = workload.jobs[n];
    numbers_[job.name] = n;
    rows_.push_back(row_of(job));
    if (!job.after.empty()) successors_[job.after].push_back(n);
  }
}

std::optional<std::size_t> JobRows::submitted(std::string_view framework, JobId id, const std::string& name) {
  const auto at = numbers_.find(name);
  if (at == numbers_.end()) return {};
  by_id_[{std::string(framework), id}] = at->second;
  return at->second;
}

std::optional<std::size_t> JobRows::find(std::string_view framework, JobId id) const {
  const auto at = by_id_.find({std::string(framework), id});
  return at == by_id_.end() ? std::nullopt : std::optional(at->second);
}

void JobRows::finished(std::size_t number, double at, bool ok) {
  auto& job = rows_[number];
  job.finished = at + to_seconds(workload_.jobs[number].cleanup);
  job.ok = ok;
  const auto next = successors_.find(job.name);
  if (next == successors_.end()) return;
  for (const auto after : next->second) {
    rows_[after].submitted = *job.finished + to_seconds(workload_.jobs[after].submit);
  }
}

}  // namespace proffer::study
