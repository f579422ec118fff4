// Rules by which the end of an attempt is judged.
#pragma once

#include <string>

#include "frameworks/mapreduce/job.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer::mapreduce {

/// The result of a map or a reduce; null when it ended without one.
template <class Wanted>
const Wanted* result_of(const TaskStatus& status) {
  return status.result ? std::get_if<Wanted>(status.result.get()) : nullptr;
}

/// True when an attempt that finished has said what it made: a map each of its partitions, a reduce that it
/// missed no output of a map.
bool is_complete(const Job& job, bool map, const TaskStatus& status);
/// True when an end that was not well counts as a failure of the task, rather than as bad luck of its agent.
bool is_its_own_fault(const TaskStatus& status);
/// True when the attempt failed, and its agent is to blame.
bool is_by_agent(const TaskStatus& status);
/// The reason for which an attempt failed, in one or several lines: what it said itself, or else what its
/// agent said.
std::string why_failed(const Attempt& attempt, const TaskStatus& status);
/// Counts one more end of this task for which somebody else was blamed. True when that has been too often:
/// then it is the task's own failure.
bool too_often_excused(Job& job, bool map, const Attempt& attempt);

}  // namespace proffer::mapreduce
