// The costs with which the simulator reproduces what a live run did.
#pragma once

#include <vector>

#include "proffer/result.hpp"
#include "proffer/study/calibration.hpp"

namespace proffer::sim {

/// Runs the same plans in the simulator, with that cost model. Errors as simulate(), and `invalid`
/// when a job fails.
Result<std::vector<study::MeasuredRun>> predict(const std::vector<study::MeasuredRun>& runs,
                                                const study::Calibration& calibration);

struct Fit {
  study::MapTimes times;  ///< the times of maps as they were live
  study::Calibration planned;
  study::Calibration found;
};
/// Fits the costs in this order: start-up from node-local maps, the bandwidth from remote maps. `invalid`
/// when no map was node-local; errors as predict().
Result<Fit> fit_to(const std::vector<study::MeasuredRun>& live);

}  // namespace proffer::sim
