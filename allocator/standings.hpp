// What an OFFERS message says beside the offers: how a framework stands, which it cannot know by itself.
#pragma once

#include <vector>

#include "allocator/turn.hpp"

namespace proffer::allocator {

/// Of one kind, as things are now. `agents`: those that the message is about.
Standing standing_of(const AllocatorState& state, const FrameworkRecord& framework, Kind kind,
                     const std::vector<AgentIndex>& agents, Time now);

/// Sends them, with standings, in as many messages as limits::kOffersPerMessage asks for.
void send_offers(const Turn& turn, FrameworkRecord& framework, std::vector<Offer> offers);

}  // namespace proffer::allocator
