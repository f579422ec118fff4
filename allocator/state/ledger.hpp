// Moves of slots that touch several tables at once: the cluster's, the framework's and the share tree's.
// Whatever becomes free is put down for the next pass.
#pragma once

#include "allocator/state/state.hpp"

namespace proffer::allocator {

/// free -> offered, but not yet in the book.
Lot reserve(State& state, FrameworkRecord& framework, AgentRecord& agent, Kind kind, std::size_t position,
            std::int64_t units);
/// An offer that left the book: all it held is free again.
void give_back(State& state, OfferRecord offer);
/// offered -> used by tasks, of what an accept named.
void use(State& state, FrameworkRecord& framework, AgentRecord& agent, const Resources& resources);
/// To be called before a task is wanted dead.
void note_dying(State& state, const TaskRecord& task);
/// The task takes no slots any more: it has ended.
void end_use(State& state, const TaskRecord& task);
/// Something happened on that agent, for which filters "until something changes" have waited.
void agent_changed(State& state, AgentRecord& agent);

/// Whether an agent's slots, and the tasks on them, are part of the cluster.
void count(State& state, AgentRecord& agent);
void discount(State& state, AgentRecord& agent);

/// A task that was just launched is its framework's and its agent's.
void enlist_task(State& state, const TaskRecord& task, JobId job);
/// The task's record goes.
void forget_task(State& state, TaskRecord& task);
/// Nobody waits for it any more, but it may still run: its slots stay used until its agent says otherwise.
/// Its agent must not be counted.
void strand_task(State& state, TaskRecord& task);

/// Every table forgets the framework. Aborts while it holds tasks or offers. `framework` is gone afterwards.
void forget_framework(State& state, FrameworkRecord& framework);

}  // namespace proffer::allocator
