// What an OFFERS message says beside the offers: how a framework stands, which it cannot know by itself.
#pragma once

#include <vector>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Its share of all slots of the kind, but no more than there are on agents that it may be offered. What a
/// rule of eligibility cuts off so is not shared out among the others.
std::int64_t fair_share(const State& state, const FrameworkRecord& framework, Kind kind);

/// Of one kind, as things are now. `agents`: those that the message is about. `contended`: somebody else
/// wants more, may have some of these, and answers when he is offered them. `complete`: no slot is left free
/// that it may have; one that a filter of its own hides is.
Standing standing_of(const State& state, const FrameworkRecord& framework, Kind kind,
                     const std::vector<AgentIndex>& agents, Time now);

/// Sends them, with standings, in as many messages as limits::kOffersPerMessage asks for.
void send_offers(const Turn& turn, FrameworkRecord& framework, std::vector<Offer> offers);

}  // namespace proffer::allocator
