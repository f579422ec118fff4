// Ending tasks of pools above their fair share for pools that starve (SEMANTICS §1). Waiting is the rule;
// this is the guard against long or greedy tasks.
//
// A pool that is short for too long, and in which nobody who wants slots refused any meanwhile, is starved.
// Then, for what it lacks:
// offers of those above their share are rescinded first; then frameworks are told by PREEMPT how many slots
// to give back, and choose which; what is missing at the deadline is killed here. Whatever comes free is
// offered to the starved pool first.
//
// While preemption is off, a pool that starves is only excused from delay (SEMANTICS §5), and the log says
// so.
//
// Pools that may have some agents only, or have pools in them that may, are not watched (watched_pools.hpp).
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// After each event: whose clocks run.
void watch_shortages(AllocatorState& state, Time now);
/// One clock that has run out; true when there was one.
bool relieve_one(const Turn& turn);
/// One deadline of a PREEMPT that is over; true when there was one.
bool enforce_one(const Turn& turn);
std::optional<Time> next_preemption(const AllocatorState& state);

/// That framework declined a slot of the kind, or let an offer expire, and refuses more of them `until` then
/// (none: until it revives): for so long, and while it wants some, its pools are short by their own choice.
/// To be called once the slot is its no more: who wants no other then refuses nothing.
void note_refusal(AllocatorState& state, LeafId framework, Kind kind, std::optional<Time> until);
/// It refuses them no longer.
void note_revival(AllocatorState& state, LeafId framework, Kind kind, Time now);
/// One of the pools that the framework is in is starved.
bool starved(const AllocatorState& state, LeafId framework, Kind kind);

}  // namespace proffer::allocator
