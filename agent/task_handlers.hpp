// What the allocator says about tasks: LAUNCH, KILL, ACKNOWLEDGE, MESSAGE, RELEASE.
#pragma once

#include "agent/agent_parts.hpp"

namespace proffer {

void handle(AgentParts& state, const Launch& launch, Turn turn);
void handle(AgentParts& state, const Kill& kill, Turn turn);
void handle(AgentParts& state, const Acknowledge& acknowledge, Turn turn);
void handle(AgentParts& state, const TaskMessage& message, Turn turn);
void handle(AgentParts& state, const MoreInputs& message, Turn turn);
void handle(AgentParts& state, const Release& release, Turn turn);

}  // namespace proffer
