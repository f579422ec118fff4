// Coming and going at the allocator: REGISTER, REGISTERED, ERROR, HEARTBEAT, and silence.
#pragma once

#include "agent/agent_parts.hpp"

namespace proffer {

void handle_registered(AgentParts& state, const Envelope& envelope, Turn turn);
void handle_error(AgentParts& state, const Envelope& envelope, Turn turn);
/// A message of an allocator of another cluster than ours.
void refuse_other_cluster(AgentParts& state, const Envelope& envelope, Turn turn);
/// The session is void. Runs live on, and so does the conversation with the catalog.
void lose_allocator(AgentParts& state, Turn turn);
/// Registers, or beats, when it is time.
void tend_allocator(AgentParts& state, Turn turn);

}  // namespace proffer
