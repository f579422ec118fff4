// Fitting a plan's cost model to the machine on which the plan ran live, so that the simulator predicts what
// would happen there: task times and bandwidth. A plan's report period is kept by agents in both worlds.
#pragma once

#include <cstdint>
#include <span>

#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"

namespace proffer::study {

/// A run, and the plan that it carried out.
struct MeasuredRun {
  Plan plan;
  RunResult result;
};

/// The times that maps took in some runs, in seconds of the plan; only maps that ended well.
struct MapTimes {
  std::uint32_t local = 0;   ///< number of node-local maps, and of those that read nothing
  double local_took = 0;     ///< mean time from placement to end
  double local_planned = 0;  ///< start-up and computing, of the same maps
  std::uint32_t remote = 0;
  double remote_took = 0;
  /// Number of slots that were taken again by a job that was there and did not wait.
  std::uint32_t turns = 0;
  double turn = 0;  ///< median time from the end of a map to the next placement on its slot
};
MapTimes map_times(std::span<const MeasuredRun> runs);

/// The properties of a machine that go into a plan.
struct Calibration {
  Duration start_up{};          ///< start-up time of a task
  std::uint64_t bandwidth = 0;  ///< bytes per second of a node, each way; 0: unlimited
};
/// Returns the plan with the costs of a live run: a node's bandwidth limits the moving of data, and nothing
/// else does.
Plan calibrated(Plan plan, const Calibration& calibration);

}  // namespace proffer::study
