// The wishes of operators about agents: CHANGE_AGENT. A drained agent is offered to nobody until somebody
// says `undrain`; one that is declared gone never comes back.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in, const ChangeAgent& change);

/// Goes on with the drain of an agent that has registered. To be called when its tasks are known.
void resume_drain(const Turn& turn, AgentRecord& agent);
/// Lets the slots of agents count no longer that are drained and empty. Before each pass: they are nobody's.
void discount_drained(const Turn& turn);

/// Kills the tasks on the agent whose time to run to their end is over. Returns false when there is none.
bool kill_drained(const Turn& turn);
/// Drops void deadlines, so that nobody is woken for them.
void settle_drains(State& state);

}  // namespace proffer::allocator
