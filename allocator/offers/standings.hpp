// OFFERS messages: the offers in them, and the standings, which tell a framework how it stands, since it
// cannot know that by itself.
#pragma once

#include <vector>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Returns the framework's share of all slots of the kind, but no more than there are on agents that it may
/// be offered. The part that a rule of eligibility cuts off is not shared out among the others.
std::int64_t fair_share(const State& state, const FrameworkRecord& framework, Kind kind);

/// Returns how the framework stands now for one kind. `agents`: those that the message is about. `contended`:
/// another framework wants more, may be offered some of these agents, and answers its offers. `complete`: no
/// free slot of the kind is left that the framework may have, not even one that its own decline filters hide.
Standing standing_of(const State& state, const FrameworkRecord& framework, Kind kind,
                     const std::vector<AgentIndex>& agents, Time now);

/// Returns an outstanding offer as its framework is told of it.
Offer offer_of(const State& state, const OfferRecord& record);

/// Sends offers, with standings, in as many messages as limits::kOffersPerMessage asks for.
void send_offers(const Turn& turn, FrameworkRecord& framework, std::vector<Offer> offers);

}  // namespace proffer::allocator
