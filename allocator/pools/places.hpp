// Changes of the agents that a pool may be offered, while its frameworks run there: by an operator, or as an
// agent becomes some pool's alone. Tasks go on; offers that would not be made any more are taken back.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Finds anew which eligibility classes may be offered the agent's slots.
void admit_anew(const Turn& turn, AgentRecord& agent);
/// Applies the rules of eligibility of the pools in the configuration, which have changed.
void change_places(const Turn& turn);
/// Takes back offers of agents that their frameworks may not be offered any more.
void rescind_misplaced(const Turn& turn);

}  // namespace proffer::allocator
