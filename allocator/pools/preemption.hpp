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
void watch_shortages(State& state, Time now);
/// One clock that has run out; true when there was one.
bool relieve_one(const Turn& turn);
/// One deadline of a PREEMPT that is over; true when there was one.
bool enforce_one(const Turn& turn);

}  // namespace proffer::allocator
