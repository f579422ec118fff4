#include "proffer/study/offered_load.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "proffer/study/workload_stats.hpp"
#include "study/measures/byte_counts.hpp"
#include "study/measures/seconds.hpp"

namespace proffer::study {
namespace {

double over(double bytes, std::uint64_t rate) { return rate == 0 ? 0 : bytes / static_cast<double>(rate); }

double work_of(const CostModel& cost, const std::vector<WorkloadTask>& tasks, double reads) {
  const bool fluid = cost.reading == CostModel::Reading::fluid;
  double work = 0;
  for (const auto& task : tasks) {
    const auto read = fluid ? over(reads, cost.disk_rate) : 0;
    work += to_seconds(cost.start_up) + std::max(to_seconds(task.compute), read) +
            over(static_cast<double>(task.output_bytes), cost.write_rate);
  }
  return work;
}

/// Seconds from the first submission to the last; 0 where some job waits for another of its series. Stages
/// are submitted with their graph.
double span_of(const Workload& workload) {
  double first = std::numeric_limits<double>::infinity();
  double last = 0;
  for (const auto& job : workload.jobs) {
    if (!job.after.empty()) return 0;
    first = std::min(first, to_seconds(job.submit));
    last = std::max(last, to_seconds(job.submit));
  }
  return std::max(0.0, last - first);
}

/// Returns what a map of the job takes of a kind.
double units_of_map(const WorkloadJob& job, Kind kind) {
  if (job.need.empty()) return kind == Kind("map") ? 1 : 0;
  return static_cast<double>(job.need[kind]);
}

}  // namespace

std::vector<OfferedLoad> offered_load(const Plan& plan) {
  std::map<Kind, double> slots;
  for (const auto& node : plan.nodes) {
    for (const auto& [kind, units] : node.slots) slots[kind] += static_cast<double>(units);
  }
  const auto span = span_of(plan.workload);
  std::vector<OfferedLoad> loads;
  for (const auto& [kind, units] : slots) {
    std::map<std::string, double> work;  // by framework; "" is all
    for (const auto& job : plan.workload.jobs) {
      const auto each = units_of_map(job, kind);
      if (each == 0 && kind != Kind("reduce")) continue;
      const auto seconds = each > 0 ? each * work_of(plan.cost, job.maps, map_bytes_of(plan, job))
                                    : work_of(plan.cost, job.reduces, 0);
      work[""] += seconds;
      work[job.framework] += seconds;
    }
    for (const auto& [framework, seconds] : work) {
      loads.push_back({kind, framework, units, seconds, span > 0 ? seconds / span : 0});
    }
  }
  return loads;
}

}  // namespace proffer::study
