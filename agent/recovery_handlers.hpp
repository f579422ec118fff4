// The start of a life from what the former ones have kept, and the end of what nobody wants any more.
#pragma once

#include <vector>

#include "agent/turn.hpp"

namespace proffer::agent {

/// Takes up what was kept. Nothing is done about it before the first step.
void restore(State& state, const std::vector<Kept>& kept);
/// Does in the first step what follows from the records alone: after a reboot of the host all runs have
/// ended.
void begin_life(const Turn& turn);

void handle(const Turn& turn, const RunsListed& listed);

/// Ends all tasks and forgets all launches, with nobody told: their allocator does not want to hear of them,
/// or is not this agent's any more. The agent registers again once their processes have ended.
void disown_all(const Turn& turn);
/// Forgets to which cluster a server belongs: the next welcome tells it.
void forget_server(const Turn& turn, ServerRole role);
/// Disowns all tasks, and forgets the cluster, so that the agent joins whichever takes it.
void change_over(const Turn& turn);
/// Disowns all tasks, and drops the id, which an operator has declared gone: the agent comes back as a new
/// one.
void retire(const Turn& turn);

}  // namespace proffer::agent
