// Fitting a plan's cost model to the machine on which it ran live, so that the simulator predicts what would
// happen there: task times, bandwidth, report period.
#pragma once

#include <cstdint>
#include <span>

#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"

namespace proffer::study {

/// A run and what it was to be.
struct MeasuredRun {
  Plan plan;
  RunResult result;
};

/// What maps took in some runs, in seconds of the plan; of those that ended well.
struct MapTimes {
  std::uint32_t local = 0;   ///< node-local ones, and those that read nothing
  double local_took = 0;     ///< from placement to end, the mean
  double local_planned = 0;  ///< start-up and computing, of the same maps
  std::uint32_t remote = 0;
  double remote_took = 0;
  std::uint32_t turns = 0;  ///< slots that were taken again by a job that was there and did not wait
  double turn = 0;          ///< from the end of a map to the next placement on its slot, the median
};
MapTimes map_times(std::span<const MeasuredRun> runs);

/// What a plan is told of a machine.
struct Calibration {
  Duration start_up{};          ///< of a task
  std::uint64_t bandwidth = 0;  ///< of a node, each way, bytes a second; 0: unlimited
  Duration report_period{};     ///< of agents: a slot that comes free is offered with the next report
};
/// As a live run of the plan moves data: a node's bandwidth bounds it, and nothing else. The report period
/// stands in the place of the plan's own, since what was measured has that in it.
Plan calibrated(Plan plan, const Calibration& calibration);

}  // namespace proffer::study
