// Blocks in demand: the catalog is told how they are read, and tells of replicas that it makes and deletes.
#pragma once

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

/// The catalog wants to know how blocks are used, or no longer.
void note_wish(const Turn& turn, const UseWanted& wanted);
/// A map of the job was launched on that agent.
void note_use(State& state, const Job& job, std::uint32_t index, const Placement& placed, AgentId agent);
/// Tells the catalog of the uses since the last report, even when there were none: the catalog tells of new
/// replicas only those frameworks that keep reporting.
void report_use(const Turn& turn);
/// Replicas of blocks that were listed have come or gone.
void note_replicas(const Turn& turn, const ReplicasChanged& changed);

}  // namespace proffer::mapreduce
