#include "proffer/study/workload_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/study/statistics.hpp"
#include "proffer/study/workload_stats.hpp"

namespace proffer::study {
namespace {

constexpr std::size_t kMostBins = 60;

using Size = std::pair<std::uint32_t, std::uint32_t>;  ///< maps and reduces of a job

Size mean_of(std::span<const Size> sizes) {
  std::uint64_t maps = 0;
  std::uint64_t reduces = 0;
  for (const auto& size : sizes) {
    maps += size.first;
    reduces += size.second;
  }
  const auto half = sizes.size() / 2;
  return {static_cast<std::uint32_t>((maps + half) / sizes.size()),
          static_cast<std::uint32_t>((reduces + half) / sizes.size())};
}

/// A bin for each size, or for each part of the jobs in the order of their sizes, with its mean.
std::vector<Bin> bins_of(const Workload& trace) {
  std::vector<Size> sizes;
  for (const auto& job : trace.jobs) {
    // The generator's jobs have a map at least.
    sizes.emplace_back(std::max<std::size_t>(job.maps.size(), 1), job.reduces.size());
  }
  std::sort(sizes.begin(), sizes.end());
  std::map<Size, std::uint32_t> jobs;
  for (const auto& size : sizes) ++jobs[size];
  if (jobs.size() > kMostBins) {
    jobs.clear();
    for (std::size_t part = 0; part < kMostBins; ++part) {
      const auto begin = sizes.size() * part / kMostBins;
      const auto end = sizes.size() * (part + 1) / kMostBins;
      const auto group = std::span<const Size>(sizes).subspan(begin, end - begin);
      if (!group.empty()) jobs[mean_of(group)] += static_cast<std::uint32_t>(group.size());
    }
  }
  std::vector<Bin> bins;
  for (const auto& [size, count] : jobs) bins.push_back({"", size.first, size.second, count, {}, {}});
  return bins;
}

std::vector<Duration> times_of(const Workload& workload, std::vector<WorkloadTask> WorkloadJob::*tasks) {
  std::vector<Duration> times;
  for (const auto& job : workload.jobs) {
    for (const auto& task : job.*tasks) times.push_back(task.compute);
  }
  return times;
}

std::vector<Duration> gaps_of(const Workload& workload) {
  std::vector<Duration> gaps;
  for (std::size_t i = 1; i < workload.jobs.size(); ++i)
    gaps.push_back(workload.jobs[i].submit - workload.jobs[i - 1].submit);
  return gaps;
}

Arrivals arrivals_of(const Workload& trace) {
  const auto gaps = fit_distribution(gaps_of(trace));
  Arrivals arrivals;
  arrivals.gap = gaps.first;
  if (gaps.shape == Distribution::Shape::exponential) {
    arrivals.process = Arrivals::Process::poisson;
  } else if (gaps.shape != Distribution::Shape::constant) {
    arrivals.process = Arrivals::Process::renewal;
    arrivals.gaps = gaps;
  } else if (gaps.first > Duration::zero()) {
    arrivals.process = Arrivals::Process::fixed;
  }
  return arrivals;
}

/// The numbers of jobs that read each file, most first.
std::vector<std::uint64_t> reads_of(const Workload& workload) {
  std::map<std::uint32_t, std::uint64_t> readers;
  for (const auto& job : workload.jobs) {
    if (job.file) ++readers[*job.file];
  }
  std::vector<std::uint64_t> reads;
  for (const auto& [file, count] : readers) reads.push_back(count);
  std::sort(reads.begin(), reads.end(), std::greater<>());
  return reads;
}

/// Sizes of blocks and outputs, and which jobs read which file.
void fit_data(const Workload& trace, GenerateSpec& spec) {
  const auto stats = workload_stats(trace);
  const auto reads = reads_of(trace);
  if (reads.empty()) {
    spec.input = GenerateSpec::Input::none;
  } else if (reads.front() > 1) {
    spec.popularity = fit_popularity(reads);
  }
  if (stats.maps == 0 || stats.input_bytes == 0) return;
  spec.block_bytes = std::max<std::uint64_t>(stats.input_bytes / stats.maps, 1);
  spec.map_output = static_cast<double>(stats.map_output_bytes) / static_cast<double>(stats.input_bytes);
}

struct Moments {
  double mean = 0;
  double cv = 0;
};
Moments moments_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  const auto mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const auto value : values) squares += (value - mean) * (value - mean);
  return {mean, mean > 0 ? std::sqrt(squares / count) / mean : 0};
}

FitDistance distance(std::string what, std::vector<double> trace, std::vector<double> sample) {
  std::sort(trace.begin(), trace.end());
  std::sort(sample.begin(), sample.end());
  const auto of_trace = moments_of(trace);
  const auto of_sample = moments_of(sample);
  return {std::move(what),           trace.size(), of_trace.mean, of_sample.mean, of_trace.cv, of_sample.cv,
          ks_distance(trace, sample)};
}

std::vector<double> seconds_of(const std::vector<Duration>& times) {
  std::vector<double> seconds;
  for (const auto time : times) seconds.push_back(static_cast<double>(time.count()) / 1e6);
  return seconds;
}

std::vector<double> sizes_of(const Workload& workload, std::vector<WorkloadTask> WorkloadJob::*tasks) {
  std::vector<double> sizes;
  for (const auto& job : workload.jobs) sizes.push_back(static_cast<double>((job.*tasks).size()));
  return sizes;
}

/// For each read, the rank of its file among those that are read most.
std::vector<double> ranks_of(const Workload& workload) {
  std::vector<double> ranks;
  const auto reads = reads_of(workload);
  for (std::size_t rank = 0; rank < reads.size(); ++rank)
    ranks.insert(ranks.end(), reads[rank], static_cast<double>(rank + 1));
  return ranks;
}

std::vector<FitDistance> distances_of(const Workload& trace, const Workload& sample) {
  constexpr auto kMaps = &WorkloadJob::maps;
  constexpr auto kReduces = &WorkloadJob::reduces;
  std::vector<FitDistance> distances;
  const auto add = [&](std::string what, std::vector<double> a, std::vector<double> b) {
    if (!a.empty() || !b.empty()) distances.push_back(distance(std::move(what), std::move(a), std::move(b)));
  };
  add("maps a job", sizes_of(trace, kMaps), sizes_of(sample, kMaps));
  add("reduces a job", sizes_of(trace, kReduces), sizes_of(sample, kReduces));
  add("gaps, s", seconds_of(gaps_of(trace)), seconds_of(gaps_of(sample)));
  add("map times, s", seconds_of(times_of(trace, kMaps)), seconds_of(times_of(sample, kMaps)));
  add("reduce times, s", seconds_of(times_of(trace, kReduces)), seconds_of(times_of(sample, kReduces)));
  add("ranks of files read", ranks_of(trace), ranks_of(sample));
  return distances;
}

}  // namespace

WorkloadFit fit_workload(const Workload& trace, const std::string& name, std::uint64_t seed) {
  PROFFER_CHECK(!trace.jobs.empty(), "a fit to no job");
  WorkloadFit fit;
  fit.spec.name = name;
  fit.spec.bins = bins_of(trace);
  fit.spec.arrivals = arrivals_of(trace);
  fit.spec.map_time = fit_distribution(times_of(trace, &WorkloadJob::maps));
  fit.spec.reduce_time = fit_distribution(times_of(trace, &WorkloadJob::reduces));
  fit_data(trace, fit.spec);
  fit.distances = distances_of(trace, generate(fit.spec, seed));
  return fit;
}

}  // namespace proffer::study
