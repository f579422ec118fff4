// A tenant of a plan as the configuration of a framework, for both worlds.
#pragma once

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/study/plan.hpp"

namespace proffer::study {

/// Returns the configuration of a framework that does not stop when its jobs are done, since further jobs may
/// be submitted later.
MapReduceConfig config_of(const PlanFramework& plan);

}  // namespace proffer::study
