// The agent's health: what its executor finds out, and what the allocator is told of it.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

void handle(const Turn& turn, const Probed& probed);
void handle(const Turn& turn, const StoreRoom& room);
/// The allocator repeats what it was told.
void handle(const Turn& turn, const MessageReceived& in, const AgentHealth& repeated);
/// Probes, or tells the allocator, when it is time.
void tend_health(const Turn& turn);

}  // namespace proffer::agent
