// The way of one job through its phases. Nobody else changes a job's phase.
//
//   queued -> planning -> running -> committing -> succeeded
//      |         |           |            |
//      +---------+-----------+------------+---> failing -> failed
#pragma once

#include <string>

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// Begins a queued job: it asks the catalog about what it reads and writes, or makes its tasks at once.
void begin(const Turn& turn, Job& job);
/// Takes an answer of the catalog to the job that has asked, and goes on with it.
void answered(const Turn& turn, const Message& answer);
/// Asks again what the job has asked in vain, if it is time.
void ask_again(const Turn& turn, Job& job);
/// Moves the job on: opens tasks that can be launched now, and goes to its next phase when all have ended. To
/// be called whenever either may have changed.
void advance(const Turn& turn, Job& job);
/// Takes a failed job's tasks back, kills those that run, and cleans up once they have ended. No effect for a
/// job that fails or has ended.
void fail(const Turn& turn, Job& job, std::string why);
/// Ends the job: it has succeeded or failed. Its last task may still run.
void end(const Turn& turn, Job& job, JobPhase phase);
/// Measures the descriptions of the job's reduces as they would be now. Fails the job and returns false when
/// one of them is too large for a message; else returns true.
bool measure_reduces(const Turn& turn, Job& job);

}  // namespace proffer::mapreduce
