// Agents that go: silent for longer and longer, or replaced by another start of the same program.
#pragma once

#include <string>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Nothing new is offered there.
void suspect(const Turn& turn, AgentRecord& agent);
/// What is offered there is void.
void disconnect(const Turn& turn, AgentRecord& agent);
/// Its tasks are out of reach, and its slots do not count. It has to register again.
void lose_reach(const Turn& turn, AgentRecord& agent);
/// It has been heard from, in the session that it had: all is as it was.
void find_again(const Turn& turn, AgentRecord& agent);
/// It will not come back. Its tasks are LOST.
void remove_agent(const Turn& turn, AgentRecord& agent, const std::string& why);

void handle(const Turn& turn, const PeerLost& lost);
/// The agent or framework that spoke through this connection has lost it.
void lose_peer(const Turn& turn, PeerId peer);

}  // namespace proffer::allocator
