// Tasks that run, say something or have ended, and what follows for their job.
#pragma once

#include <string>

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

void update(const Turn& turn, const TaskStatus& status);
/// A running task says something: see TaskSaid.
void said(const Turn& turn, const TaskId& task, const std::string& payload);
/// The allocator has given the framework up and its agents have deleted what it made.
void lose_all_outputs(const Turn& turn);

}  // namespace proffer::mapreduce
