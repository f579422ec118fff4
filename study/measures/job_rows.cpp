#include "study/measures/job_rows.hpp"

#include <algorithm>

#include "proffer/study/plan_rules.hpp"
#include "study/measures/byte_counts.hpp"
#include "study/measures/seconds.hpp"

namespace proffer::study {
namespace {

constexpr std::string_view kFramework = "framework ";

void set_submitted(JobRow& row, const WorkloadJob& job, double time) {
  row.submitted = time;
  if (job.deadline > Duration::zero()) row.reference.due = time + to_seconds(job.deadline);
}

JobRow row_of(const Plan& plan, const WorkloadJob& job) {
  JobRow row;
  row.name = job.name;
  row.framework = job.framework;
  row.pool = job.pool;
  row.user = job.user;
  row.bin = job.bin;
  if (job.stage) row.graph = job.stage->graph;
  row.maps = static_cast<std::uint32_t>(job.maps.size());
  row.reduces = static_cast<std::uint32_t>(job.reduces.size());
  row.cleanup = to_seconds(job.cleanup);
  row.map_bytes = {map_bytes_of(plan, job), map_output_of(job)};
  if (job.after.empty()) set_submitted(row, job, to_seconds(job.submit));
  return row;
}

}  // namespace

JobRows::JobRows(const Plan& plan) : plan_(plan) {
  const auto& jobs = plan.workload.jobs;
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    numbers_[jobs[n].name] = n;
    rows_.push_back(row_of(plan, jobs[n]));
    if (!jobs[n].after.empty()) successors_[jobs[n].after].push_back(n);
    if (!jobs[n].stage) continue;
    for (const auto& former : jobs[n].stage->after) followers_[former].push_back(n);
  }
}

std::optional<std::size_t> JobRows::submitted(std::string_view source, const JobSubmitted& line) {
  const auto at = numbers_.find(line.name);
  if (at == numbers_.end() || !source.starts_with(kFramework)) return {};
  by_id_[{std::string(source.substr(kFramework.size())), line.job}] = at->second;
  return at->second;
}

std::optional<std::size_t> JobRows::find(std::string_view source, JobId id) const {
  if (!source.starts_with(kFramework)) return {};
  const auto at = by_id_.find({std::string(source.substr(kFramework.size())), id});
  if (at == by_id_.end()) return {};
  return at->second;
}

void JobRows::placed(std::size_t job, const TaskPlaced& line, double now) {
  auto& row = rows_[job];
  if (!row.started) row.started = now;
  if (!line.preferred) return;
  row.waited += to_seconds(line.waited);
  ++(line.locality == Locality::node   ? row.node_local
     : line.locality == Locality::rack ? row.rack_local
                                       : row.other_local);
}

void JobRows::finished(std::size_t job, const JobFinished& line, double now) {
  auto& row = rows_[job];
  row.finished = now + row.cleanup;
  row.ok = line.ok;
  // A stage could begin once the last of those that it comes after was over: its response counts from there.
  const auto stages = followers_.find(row.name);
  for (std::size_t i = 0; stages != followers_.end() && i < stages->second.size(); ++i) {
    auto& follower = rows_[stages->second[i]];
    follower.submitted = std::max(follower.submitted, *row.finished);
  }
  // A successor's submission is known once this one is over.
  const auto next = successors_.find(row.name);
  if (next == successors_.end()) return;
  for (const auto after : next->second) {
    const auto& successor = plan_.workload.jobs[after];
    set_submitted(rows_[after], successor, *row.finished + to_seconds(successor.submit));
  }
}

std::vector<JobRow> JobRows::finish(double end, const AloneTimes& alone) {
  const auto from = to_seconds(plan_.warm_up);
  const auto until = end - to_seconds(plan_.drain);
  for (auto& job : rows_) {
    const bool in_time = job.submitted >= from && (plan_.drain == Duration::zero() || job.submitted < until);
    job.counted = in_time && (job.finished || job.started);
    if (const auto known = alone.find(job.name); known != alone.end()) job.reference.alone = known->second;
  }
  return std::move(rows_);
}

}  // namespace proffer::study
