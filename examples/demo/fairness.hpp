// The fairness of a run of the demo, from the allocator's event log.
#pragma once

#include <string>

#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::demo {

/// Returns Jain's index of map slots, over x = running / min(fair share, demand) of the frameworks with
/// demand, weighted by time, while at least two of them have demand. Only running slots count: a held offer
/// is no service. Lines before `since`, on the machine's clock, set the scene but do not count. `not_found`
/// when there was no such time; errors of parse_trace().
Result<double> jain_since(const std::string& log, Time since);

}  // namespace proffer::demo
