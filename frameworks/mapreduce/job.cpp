#include "frameworks/mapreduce/job.hpp"

#include <algorithm>

#include "frameworks/mapreduce/store_path.hpp"
#include "frameworks/mapreduce/tally.hpp"
#include "proffer/check.hpp"

namespace proffer::mapreduce {

Job::Job(JobId job_id, JobSpec job_spec) : id(job_id), spec(std::move(job_spec)), tasks(job_id) {
  if (spec.name.empty()) spec.name = "job " + std::to_string(id.value);
  for (auto& path : spec.inputs) path = store_path(path);
  for (auto& file : spec.cached) file.path = store_path(file.path);
  if (spec.writes()) spec.output = store_path(spec.output);
  output.claimed = output.publish_unsure = spec.driven.claimed;
}

std::vector<std::pair<std::string, std::string>> Job::renames() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto& winners = tasks.table(map_only());
  for (std::uint32_t index = 0; index < winners.size(); ++index) {
    pairs.emplace_back(attempt_path(spec.output, winners.current(index), index),
                       spec.output + "/" + part_name(index));
  }
  pairs.emplace_back(claim_path(spec.output), success_path(spec.output));
  return pairs;
}

bool JobInput::caches(BlockId file) const {
  return std::any_of(cached.begin(), cached.end(), [file](const CachedFile& one) {
    return !one.blocks.empty() && one.blocks.front().block == file;
  });
}

JobProgress Job::progress() const {
  return {id, spec.name, phase, tasks.maps.progress(), tasks.reduces.progress()};
}

JobReport Job::report() const {
  JobReport report{progress(),    spec.output,   phase == JobPhase::succeeded, why, counters, times.submitted,
                   times.started, times.finished};
  for (const auto& [index, outcome] : tasks.outputs.by_map()) add_map(report.counters, outcome.result);
  for (const auto& [index, result] : tasks.reduce_results) add_reduce(report.counters, result);
  return report;
}

void Job::check_invariants() const {
  tasks.check_invariants();
  PROFFER_CHECK(phase != JobPhase::succeeded || output.published, "a job succeeded unpublished");
  PROFFER_CHECK(!output.published || output.claimed || !spec.writes(),
                "an output is published that was not claimed");
}

}  // namespace proffer::mapreduce
