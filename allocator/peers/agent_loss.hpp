// Agents that go: silent for longer and longer, or replaced by another start of the same program.
#pragma once

#include <string>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Stops new offers on a silent agent.
void suspect(const Turn& turn, AgentRecord& agent);
/// Takes back all offers on an agent that is silent, or has lost its connection.
void disconnect(const Turn& turn, AgentRecord& agent);
/// Ends the session of an agent that is silent for long: its tasks become UNREACHABLE, its slots do not
/// count, and it has to register again.
void lose_reach(const Turn& turn, AgentRecord& agent);
/// Puts an agent back to live that was heard from again in the session that it had.
void find_again(const Turn& turn, AgentRecord& agent);
/// Forgets an agent that will not come back. Its tasks are LOST.
void remove_agent(const Turn& turn, AgentRecord& agent, const std::string& why);

void handle(const Turn& turn, const PeerLost& lost);
/// The agent or framework that spoke through this connection has lost it.
void lose_peer(const Turn& turn, PeerId peer);

}  // namespace proffer::allocator
