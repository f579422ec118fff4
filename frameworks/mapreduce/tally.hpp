// Counters of a job, summed up from what its tasks tell.
#pragma once

#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::mapreduce {

/// The counter of maps launched so near to their data.
std::uint64_t& maps_at(JobCounters& counters, Locality locality);
void add_map(JobCounters& counters, const MapResult& result);
void add_reduce(JobCounters& counters, const ReduceResult& result);

}  // namespace proffer::mapreduce
