#include "frameworks/mapreduce/job.hpp"

#include <algorithm>
#include <utility>

#include "frameworks/mapreduce/store_path.hpp"
#include "frameworks/mapreduce/tally.hpp"

namespace proffer::mapreduce {

Job::Job(JobId job_id, JobSpec job_spec)
    : id(job_id), spec(std::move(job_spec)), maps(job_id, 'm', 0), reduces(job_id, 'r', 0) {
  if (spec.name.empty()) spec.name = "job " + std::to_string(id.value);
  for (auto& input : spec.inputs) input = store_path(input);
  for (auto& file : spec.cached) file.path = store_path(file.path);
  if (!spec.synthetic) spec.output = store_path(spec.output);
}

std::vector<std::pair<std::string, std::string>> Job::renames() const {
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto& winners = map_only() ? maps : reduces;
  for (std::uint32_t index = 0; index < winners.size(); ++index) {
    pairs.emplace_back(attempt_path(spec.output, winners.current(index), index),
                       spec.output + "/" + part_name(index));
  }
  pairs.emplace_back(claim_path(spec.output), success_path(spec.output));
  return pairs;
}

bool Job::uses(BlockId file) const {
  return std::any_of(cached.begin(), cached.end(), [file](const CachedFile& one) {
    return !one.blocks.empty() && one.blocks.front().block == file;
  });
}

JobProgress Job::progress() const { return {id, spec.name, phase, maps.progress(), reduces.progress()}; }

JobReport Job::report() const {
  JobReport report{progress(), spec.output, phase == JobPhase::succeeded, why, launches, submitted,
                   started,    finished};
  for (const auto& [index, outcome] : map_outcomes) add_map(report.counters, outcome.result);
  for (const auto& [index, result] : reduce_outcomes) add_reduce(report.counters, result);
  return report;
}

}  // namespace proffer::mapreduce
