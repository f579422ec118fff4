// Replicas that the catalog wants here, from its word to the disk's.
#pragma once

#include "agent/agent_parts.hpp"

namespace proffer {

void on_copy(AgentParts& state, const CopyBlock& copy, Turn turn);

void handle(AgentParts& state, const BlockStored& stored, Turn turn);
void handle(AgentParts& state, const BlockVanished& vanished, Turn turn);
void handle(AgentParts& state, const BlockNotFetched& failed, Turn turn);

}  // namespace proffer
