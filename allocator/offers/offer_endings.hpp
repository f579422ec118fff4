// The ways in which an offer ends without a task, and what each means for the filters.
#pragma once

#include <optional>
#include <vector>

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// The framework does not want what `offer` still holds. `refuse_for` as in DECLINE.
void decline(const Turn& turn, OfferRecord offer, DeclineReason reason, std::optional<Duration> refuse_for);
/// The oldest offer, if its time is over: RESCIND, and nothing of that kind for its framework, for longer and
/// longer while it stays silent. False when there is none.
bool expire_one(const Turn& turn);
/// It has answered an offer, or asked for some: it is silent no more.
void spoke(const Turn& turn, const FrameworkRecord& framework);
/// What it has declined of that kind it may be offered again, in the next round.
void revive(const Turn& turn, const FrameworkRecord& framework, Kind kind);
/// One framework that let offers expire may be asked again; false when there was none.
bool end_silence(const Turn& turn);
/// We want them back: RESCIND to each framework. The slots are free at once.
void rescind_all_on(const Turn& turn, AgentRecord& agent);
/// Of these kinds (none: of all); the framework has them in the present round.
void rescind_all_of(const Turn& turn, FrameworkRecord& framework, const std::vector<Kind>& kinds);
/// One; its framework has it in the present round.
void rescind_one(const Turn& turn, OfferId id);
/// The framework has no session any more, so nobody hears of it.
void void_all_of(const Turn& turn, FrameworkRecord& framework);

}  // namespace proffer::allocator
