// Moves of slots and tasks that touch several tables at once: the cluster's, the frameworks' and the share
// tree's. Slots that become free are noted for the next pass.
#pragma once

#include "allocator/state/state.hpp"

namespace proffer::allocator {

/// free -> offered, but not yet in the book.
Lot reserve(State& state, FrameworkRecord& framework, AgentRecord& agent, Kind kind, std::size_t position,
            std::int64_t units);
/// Frees all slots of an offer that left the book.
void give_back(State& state, OfferRecord offer);
/// offered -> used by tasks, of what an accept named.
void use(State& state, FrameworkRecord& framework, AgentRecord& agent, const Resources& resources);
/// Counts the slots of a task as dying. To be called before the task is wanted dead, else they count twice or
/// not at all.
void note_dying(State& state, const TaskRecord& task);
/// Frees the slots of a task that has ended.
void end_use(State& state, const TaskRecord& task);
/// Lifts the decline filters on an agent that last "until something changes".
void agent_changed(State& state, AgentRecord& agent);

/// Begins the agent's view of tasks anew: those in the records that have arrived there, and strays.
void view_anew(State& state, AgentRecord& agent);

/// Makes an agent's slots, and the tasks on them, part of the cluster; or not.
void count(State& state, AgentRecord& agent);
void discount(State& state, AgentRecord& agent);

/// Enters a task that was just launched, or adopted, into the records of its framework and its agent.
void enlist_task(State& state, const TaskRecord& task);
/// Notes that a task is on its agent.
void note_arrival(State& state, TaskRecord& task);
/// Removes the task's record. `task` is gone afterwards.
void forget_task(State& state, TaskRecord& task);
/// Removes the record of a task for which nobody waits any more, but which may still run: its slots stay used
/// until its agent says otherwise. Aborts while its agent counts. `task` is gone afterwards.
void strand_task(State& state, TaskRecord& task);

/// Every table forgets the framework. Aborts while it holds tasks or offers. `framework` is gone afterwards.
void forget_framework(State& state, FrameworkRecord& framework);

}  // namespace proffer::allocator
