// A tenant of a plan as the configuration of the framework that it is, in both worlds.
#pragma once

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/study/plan.hpp"

namespace proffer::study {

/// It does not stop when its jobs are done, since further ones may be submitted later.
MapReduceConfig config_of(const PlanFramework& plan);

}  // namespace proffer::study
