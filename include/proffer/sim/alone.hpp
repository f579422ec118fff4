// The time each job takes when it has the cluster to itself: the measure for slowdown.
#pragma once

#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::sim {

/// Returns the response time of each job on the empty cluster (SEMANTICS §12): by itself on all nodes, under
/// delay scheduling with waits of 5 s whatever the plan's policies, pools and partition are, with the plan's
/// seed, without its faults. So slowdowns of different plans have one reference. Jobs that differ only in
/// name and time are run once. A job that does not succeed before the horizon has none. Errors as simulate().
Result<study::AloneTimes> responses_alone(const study::Plan& plan);

}  // namespace proffer::sim
