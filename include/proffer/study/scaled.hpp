// A plan in miniature, for a world that has less time than the plan.
#pragma once

#include "proffer/study/plan.hpp"

namespace proffer::study {

/// The plan with `factor` (above 0) seconds for each of its own. All times, those of policies that it says
/// among them, and all sizes become so much of what they are; rates stay, and so do times that a policy has
/// by itself, which a plan does not know. Heartbeats are no part of what is studied, and stay as well.
Plan scaled(Plan plan, double factor);

}  // namespace proffer::study
