// Files of the store that agents keep for a job's tasks: tasks without places of their own prefer to be where
// all files of their job are.
#pragma once

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// The tasks of a job that begins go where its files are, those without places of their own.
void join_holders(State& state, const Job& job);
/// A task of the job runs on that agent, or has ended there.
void note_holder(const Turn& turn, const Job& job, AgentId agent, TaskState task);

}  // namespace proffer::mapreduce
