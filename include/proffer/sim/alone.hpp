// The time that each job takes when it has the cluster to itself, against which slowdown is measured.
#pragma once

#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::sim {

/// Returns the response of each job on the empty cluster: by itself, under its framework's policy, with the
/// plan's seed, without the plan's faults. Jobs that differ in name and time only are run once. A job that
/// does not succeed before the horizon has none. Errors of simulate.
Result<study::AloneTimes> responses_alone(const study::Plan& plan);

}  // namespace proffer::sim
