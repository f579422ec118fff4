// The begin of a further life: what was kept is taken over, and nothing is offered until the agents are back,
// or were waited for long enough.
#pragma once

#include <optional>
#include <vector>

#include "allocator/state/turn.hpp"
#include "proffer/kept.hpp"

namespace proffer::allocator {

/// Enters the frameworks and agents of former lives, none of which is connected. To be called before the
/// first step.
void take_over(State& state, const std::vector<Kept>& kept);
/// Starts the clocks of what was taken over, in the first step. No effect later.
void begin_recovery(const Turn& turn);
/// An agent has registered for the first time in this life.
void note_back(const Turn& turn, AgentRecord& agent);
/// An agent that has not come back in this life is forgotten.
void note_forgotten(State& state, const AgentRecord& agent);

std::optional<Time> next_of_recovery(const State& state);
/// Ends the hold, or the whole recovery, if its time has come. Returns whether it had.
bool end_recovery_step(const Turn& turn);

}  // namespace proffer::allocator
