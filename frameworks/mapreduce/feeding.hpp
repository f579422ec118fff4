// Reduces that are started before all maps are done (slow start): how they learn what to copy.
#pragma once

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// A reduce's process runs: it is told of the outputs that there are.
void reduce_runs(const Turn& turn, Job& job, const TaskId& attempt);
/// A reduce has heard of the first `from` outputs, and of no more for a while: it is told again, as some may
/// have been lost on their way.
void reduce_wants(const Turn& turn, Job& job, const TaskId& attempt, std::uint32_t from);
/// Notes that one more map of the job has an output: reduces that wait are told of it.
void map_ended(const Turn& turn, Job& job);

}  // namespace proffer::mapreduce
