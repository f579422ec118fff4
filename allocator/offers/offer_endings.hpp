// The ways in which an offer ends without a task, and what each means for the filters.
#pragma once

#include <optional>
#include <vector>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Ends an offer that left the book because its framework does not want the slots that it still holds.
/// `refuse_for` as in DECLINE. `is_rest`: tasks took a part of the offer, and this is what they left.
void decline(const Turn& turn, OfferRecord offer, DeclineReason reason, std::optional<Duration> refuse_for,
             bool is_rest = false);
/// Ends the oldest offer if its time is over: its framework gets a RESCIND, and no offers of that kind for a
/// time that grows while it stays silent. Returns false when none is due.
bool expire_one(const Turn& turn);
/// Ends the silence of a framework that has answered an offer, or asked for some.
void spoke(const Turn& turn, const FrameworkRecord& framework);
/// Lifts the framework's decline filters of that kind: it may be offered those slots again, in their next
/// round.
void revive(const Turn& turn, const FrameworkRecord& framework, Kind kind);
/// Ends the silence that is due next: its framework may be asked again. Returns false when none is due.
bool end_silence(const Turn& turn);
/// Takes back all offers on an agent, with a RESCIND to each framework. The slots are free at once.
void rescind_all_on(const Turn& turn, AgentRecord& agent);
/// Takes back the framework's offers of these kinds (none: of all). The framework counts as having had the
/// slots in their present round, so others come first.
void rescind_all_of(const Turn& turn, FrameworkRecord& framework, const std::vector<Kind>& kinds);
/// Takes back one offer. Its framework counts as having had the slots in their present round.
void rescind_one(const Turn& turn, OfferId id);
/// Ends the offers of a framework that has no session any more. There is nobody to tell.
void void_all_of(const Turn& turn, FrameworkRecord& framework);

}  // namespace proffer::allocator
