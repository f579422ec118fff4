// A process that goes on where a former one of the framework has stopped.
#pragma once

#include <map>
#include <span>
#include <string>

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// Puts the jobs of a former process into the line, as it left them. A job that has been submitted here
/// already is taken to be that of the same number, and goes on.
void resume(const Turn& turn, std::span<const ResumedTask> tasks,
            const std::map<std::string, std::string>& notes);
/// Keeps a status of a former process's task whose job is not planned yet, for later. No effect for any
/// other.
void hold_back(const Turn& turn, const TaskStatus& status);
/// Takes what was held back, for jobs whose tasks have been made meanwhile.
void catch_up(const Turn& turn);

}  // namespace proffer::mapreduce
