// A job whose tasks are made again by a new process: what the former one had made is not made once more, and
// what it had launched goes on.
#pragma once

#include <optional>
#include <string>

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// Returns the reason for which a job cannot go on as a former process has begun it, in one sentence; none
/// when it can, or was not begun.
std::optional<std::string> refuse_former(const Job& job);
/// Goes on with what the former process has left of a job whose tasks have just been made. What has been told
/// of its tasks meanwhile is left in Job::former.
void adopt(const Turn& turn, Job& job);
/// Kills what a former process has launched of a job that will not have its tasks made.
void kill_former(const Turn& turn, const Job& job);

}  // namespace proffer::mapreduce
