// A plan in miniature, for a world that has less time than the plan.
#pragma once

#include "proffer/study/plan.hpp"

namespace proffer::study {

/// Returns the plan with `factor` (above 0) seconds for each of its own. All times, including those that the
/// plan sets for policies, and all sizes are multiplied by it; rates remain, and so do a policy's own default
/// times, which a plan does not know. Heartbeats are no part of what is studied, and remain as well.
Plan scaled(Plan plan, double factor);

}  // namespace proffer::study
