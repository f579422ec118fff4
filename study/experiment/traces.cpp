#include "study/experiment/traces.hpp"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "proffer/study/generate.hpp"

namespace proffer::study {
namespace {

/// The times at which the jobs of a trace came, from 0.
std::vector<Duration> arrival_times(const Workload& trace) {
  std::vector<Duration> times;
  for (const auto& job : trace.jobs) times.push_back(job.submit - trace.jobs.front().submit);
  return times;
}

Result<Workload> workload_of_trace(const WorkloadSection& section, const Experiment& experiment,
                                   std::uint64_t seed) {
  auto settings = section.trace_settings;
  settings.seed = seed;
  auto read = read_trace(located(*section.trace, experiment), settings);
  if (!read) return read.error();
  for (auto& job : read->workload.jobs) {
    if (job.pool.empty()) job.pool = section.spec.pool;
  }
  return std::move(read->workload);
}

}  // namespace

std::string located(const std::string& path, const Experiment& experiment) {
  if (path.empty() || path.starts_with('/') || experiment.folder.empty()) return path;
  return experiment.folder + (experiment.folder.ends_with('/') ? "" : "/") + path;
}

TraceSource located(TraceSource source, const Experiment& experiment) {
  source.path = located(source.path, experiment);
  source.topology = located(source.topology, experiment);
  return source;
}

Result<> check_traces(const Scenario& scenario, const Experiment& experiment, std::set<std::string>& opened) {
  for (const auto& workload : scenario.workloads) {
    for (const auto* trace : {&workload.trace, &workload.arrivals_of}) {
      if (!*trace) continue;
      const auto source = located(**trace, experiment);
      for (const auto& path : {source.path, source.topology}) {
        if (path.empty() || opened.contains(path)) continue;
        if (!std::ifstream(path)) {
          return formats::error_at(
              experiment.file, workload.position,
              fmt::format("cannot read the trace {}, a path from the folder of this file", path));
        }
        opened.insert(path);
      }
    }
  }
  return {};
}

Result<Workload> workload_of(const WorkloadSection& section, const Experiment& experiment,
                             std::uint64_t seed) {
  if (section.trace) return workload_of_trace(section, experiment, seed);
  if (!section.arrivals_of) return generate(section.spec, seed);
  const auto trace = read_trace(located(*section.arrivals_of, experiment));
  if (!trace) return trace.error();
  auto spec = section.spec;
  spec.arrivals.times = arrival_times(trace->workload);
  return generate(spec, seed);
}

}  // namespace proffer::study
