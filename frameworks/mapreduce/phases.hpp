// The way of one job through its phases. Nobody else changes a job's phase.
//
//   queued -> planning -> running -> committing -> succeeded
//      |         |           |            |
//      +---------+-----------+------------+---> failing -> failed
#pragma once

#include <string>

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// A queued job begins: it asks the catalog about what it reads and writes, or makes its tasks at once.
void begin(const Turn& turn, Job& job);
/// The catalog has answered some job, or nobody that has not ended.
void answered(const Turn& turn, const Message& answer);
/// Asks again what the job has asked in vain, if it is time.
void ask_again(const Turn& turn, Job& job);
/// To be called when tasks of the job may have to be opened, or all have ended: then it goes on to its next
/// phase.
void advance(const Turn& turn, Job& job);
/// Takes a failed job's tasks back, kills those that run, and cleans up once they have ended. No effect for a
/// job that fails or has ended.
void fail(const Turn& turn, Job& job, std::string why);
/// The job has succeeded or failed. Its last task may still run.
void end(const Turn& turn, Job& job, JobPhase phase);
/// Measures the descriptions of the job's reduces as they would be now. The job fails, and that is false,
/// when one is too large for a message.
bool measure_reduces(const Turn& turn, Job& job);

}  // namespace proffer::mapreduce
