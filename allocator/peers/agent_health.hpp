// Agents that cannot do their work, as they say themselves, and are offered to nobody meanwhile.
#pragma once

#include <string>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const AgentHealth& health);

/// `why` empty: it is well. What is offered there is taken back; what runs there goes on.
void note_trouble(const Turn& turn, AgentRecord& agent, const std::string& why);

}  // namespace proffer::allocator
