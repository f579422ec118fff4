// The costs with which the simulator takes as long as a live run did.
#pragma once

#include <vector>

#include "proffer/result.hpp"
#include "proffer/study/calibration.hpp"

namespace proffer::sim {

/// Runs the same plans in the simulator, with that cost model and report period. simulate()'s errors, and
/// `invalid` when a job fails.
Result<std::vector<study::MeasuredRun>> predict(const std::vector<study::MeasuredRun>& runs,
                                                const study::Calibration& calibration);

struct Fit {
  study::MapTimes times;  ///< as they were live
  study::Calibration planned;
  study::Calibration found;
};
/// Finds the costs in this order: start-up from node-local maps, the report period from how long freed slots
/// stand, the bandwidth from remote maps. `invalid` when no map was node-local; predict()'s errors.
Result<Fit> fit_to(const std::vector<study::MeasuredRun>& live);

}  // namespace proffer::sim
