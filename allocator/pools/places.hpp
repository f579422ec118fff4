// Who may be offered which agents changes while frameworks run there: an operator says otherwise, or an agent
// becomes some pool's alone. What runs goes on; offers that would not be made any more are taken back.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Who may be offered the agent's slots has changed, or may have.
void admit_anew(const Turn& turn, AgentRecord& agent);
/// The pools of the configuration have changed, and with them perhaps the agents that they may be offered.
void change_places(const Turn& turn);
/// RESCINDs offers of agents that their frameworks may not be offered.
void rescind_misplaced(const Turn& turn);

}  // namespace proffer::allocator
