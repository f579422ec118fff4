// Heartbeats, both ways: beside being signs of life, they show what got lost between the allocator and its
// peers.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// An agent whose tasks are not those in the records has to register again, and so to list them.
void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const Heartbeat& beat);
/// Makes up for a REVIVE or a SUPPRESS that was lost, and takes over the demand.
void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Heartbeat& beat);

/// Sends a HEARTBEAT to everybody who is connected, if it is time. Returns whether it was.
bool beat(const Turn& turn);

}  // namespace proffer::allocator
