// Tasks of jobs that begin to wait for a slot, or no longer do: a job's table and the pool change together.
#pragma once

#include <vector>

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
/// Puts up a second attempt at a map that runs, and asks for offers. Its data may be anywhere: it is a slot
/// that it needs (LATE, §4). It is never launched on those agents.
void put_up_backup(const Turn& turn, Job& job, std::uint32_t index, const std::vector<AgentId>& but_on);
/// Takes back a backup that waits for a slot; no effect for a task without one.
void take_back_backup(State& state, Job& job, bool map, std::uint32_t index);
/// Takes back all open attempts of a kind: their tasks wait, or run on without a backup.
void close_all(State& state, Job& job, bool map);
/// Kills a running attempt, which counts no longer: its task runs on with another, or is made again from its
/// start.
void give_up(const Turn& turn, Job& job, bool map, const TaskId& attempt);

}  // namespace proffer::mapreduce
