#include "proffer/study/workload_stats.hpp"

#include <algorithm>
#include <map>

#include "study/readers/volumes.hpp"

namespace proffer::study {
namespace {

double seconds(Duration time) { return static_cast<double>(to_us(time)) / 1e6; }

double compute_seconds(const std::vector<WorkloadTask>& tasks) {
  Duration sum{};
  for (const auto& task : tasks) sum += task.compute;
  return seconds(sum);
}

void count_job(WorkloadStats& stats, const Workload& workload, const WorkloadJob& job) {
  stats.maps += job.maps.size();
  stats.reduces += job.reduces.size();
  const auto volumes = volumes_of(workload, job);
  stats.input_bytes += volumes.input;
  stats.map_output_bytes += job.reduces.empty() ? volumes.output : volumes.shuffle;
  if (!job.reduces.empty()) stats.reduce_output_bytes += volumes.output;
  stats.map_seconds += compute_seconds(job.maps);
  stats.reduce_seconds += compute_seconds(job.reduces);
}

void count_files(WorkloadStats& stats, const Workload& workload) {
  stats.files = workload.files.size();
  for (const auto& file : workload.files) {
    stats.blocks += file.blocks.size();
    stats.located_blocks += static_cast<std::uint64_t>(
        std::count_if(file.blocks.begin(), file.blocks.end(),
                      [](const WorkloadBlock& block) { return !block.nodes.empty(); }));
  }
}

/// The smallest value that at least so many in a hundred do not exceed.
std::uint64_t nearest_rank(const std::vector<std::uint64_t>& sorted, int percent) {
  if (sorted.empty()) return 0;
  const auto rank = (sorted.size() * static_cast<std::size_t>(percent) + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

void rank_sizes(WorkloadStats& stats, const Workload& workload) {
  std::vector<std::uint64_t> sizes;
  for (const auto& job : workload.jobs) sizes.push_back(job.maps.size());
  std::sort(sizes.begin(), sizes.end());
  for (std::size_t i = 0; i < stats.maps_per_job.size(); ++i) {
    stats.maps_per_job[i] = nearest_rank(sizes, WorkloadStats::kPercentiles[i]);
  }
}

void count_bins(WorkloadStats& stats, const Workload& workload) {
  struct Bin {
    std::size_t smallest_maps;
    std::uint64_t jobs = 0;
  };
  std::map<std::string, Bin> bins;
  for (const auto& job : workload.jobs) {
    auto& bin = bins.try_emplace(job.bin, Bin{job.maps.size()}).first->second;
    bin.smallest_maps = std::min(bin.smallest_maps, job.maps.size());
    ++bin.jobs;
  }
  std::vector<std::pair<std::string, Bin>> sorted(bins.begin(), bins.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.smallest_maps < b.second.smallest_maps;
  });
  for (const auto& [name, bin] : sorted) stats.bins.emplace_back(name, bin.jobs);
}

}  // namespace

WorkloadStats workload_stats(const Workload& workload) {
  WorkloadStats stats;
  stats.jobs = workload.jobs.size();
  stats.nodes = workload.nodes.size();
  for (const auto& job : workload.jobs) count_job(stats, workload, job);
  count_files(stats, workload);
  rank_sizes(stats, workload);
  count_bins(stats, workload);
  if (!workload.jobs.empty()) {
    stats.first_submit = seconds(workload.jobs.front().submit);
    stats.last_submit = seconds(workload.jobs.back().submit);
  }
  return stats;
}

double load_on(std::uint64_t slots, double seconds_of_work, double span) {
  return slots == 0 || span <= 0 ? 0 : seconds_of_work / (static_cast<double>(slots) * span);
}

}  // namespace proffer::study
