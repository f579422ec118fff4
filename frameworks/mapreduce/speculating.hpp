// Speculative execution: maps that run for long get a backup, and the first of the two to be done counts.
#pragma once

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// Notes how long a map took that has ended well.
void note_map_time(State& state, Job& job, AgentId agent, Duration took);
/// Opens backups for the stragglers of all jobs that are to be looked at by now.
void back_up_stragglers(const Turn& turn);

}  // namespace proffer::mapreduce
