// The allocator's messages about tasks: LAUNCH, KILL, ACKNOWLEDGE, MESSAGE, MORE_INPUTS, RELEASE.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

void handle(const Turn& turn, const MessageReceived& in, const Launch& launch);
void handle(const Turn& turn, const MessageReceived& in, const Kill& kill);
void handle(const Turn& turn, const MessageReceived& in, const Acknowledge& acknowledge);
void handle(const Turn& turn, const MessageReceived& in, const TaskMessage& message);
void handle(const Turn& turn, const MessageReceived& in, const MoreInputs& message);
void handle(const Turn& turn, const MessageReceived& in, const Release& release);

}  // namespace proffer::agent
