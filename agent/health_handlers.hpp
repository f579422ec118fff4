// Whether the agent can do its work: what its executor finds out, and what the allocator is told of it.
#pragma once

#include "agent/agent_parts.hpp"

namespace proffer {

void handle(AgentParts& state, const Probed& probed, Turn turn);
/// The allocator repeats what it was told.
void handle(AgentParts& state, const AgentHealth& repeated, Turn turn);
/// Probes, or tells the allocator, when it is time.
void tend_health(AgentParts& state, Turn turn);

}  // namespace proffer
