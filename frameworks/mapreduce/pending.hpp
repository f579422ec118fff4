// Tasks of jobs that begin to wait for a slot, or no longer do: a job's table and the pool change together.
#pragma once

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// A map as the pool should know it.
PendingTask pending_map(const State& state, const Job& job, std::uint32_t index);
/// A waiting task is open from now on: a new attempt waits for a slot. Event logs are told, and where its
/// data is.
void put_up(const Turn& turn, Job& job, bool map, std::uint32_t index);
/// Puts up all waiting tasks of a kind, and asks for offers.
void open_waiting(const Turn& turn, Job& job, bool map);
/// Puts up the task of an attempt that has failed, and asks for offers. For the time `avoid_for` the task is
/// not launched on the agent of that attempt, unless no other agent is known.
void open_elsewhere(const Turn& turn, Job& job, bool map, const Attempt& failed, Duration avoid_for);
/// Takes back all open tasks of a kind: they wait.
void close_all(State& state, Job& job, bool map);
/// Kills a running attempt, which counts no longer: its task is made again from its start.
void give_up(const Turn& turn, Job& job, bool map, const TaskId& attempt);

}  // namespace proffer::mapreduce
