// Operators' wishes about jobs. A killed job fails as a cancelled one does; one that moves keeps what it
// runs.
#pragma once

#include <string>

#include "frameworks/mapreduce/turn.hpp"
#include "proffer/result.hpp"

namespace proffer::mapreduce {

/// Has a job fail, as soon as no question of it is open. What is done, in one sentence; or why nothing is.
Result<std::string> kill_job(State& state, const KillJob& kill);
/// Puts a job into another of the framework's own pools; the same.
Result<std::string> move_job(const Turn& turn, const MoveJob& move);

}  // namespace proffer::mapreduce
