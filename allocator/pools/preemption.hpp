// Ending tasks of pools above their fair share for pools that starve (SEMANTICS §1). Waiting is the rule;
// this is the guard against long or greedy tasks.
//
// A pool is starved when it has been short for too long and no framework in it that wants slots refused any
// meanwhile. The slots that it lacks are found in three steps: offers to frameworks above their share are
// rescinded; then frameworks are told by PREEMPT how many slots to give back, and choose which; at the
// deadline the allocator kills tasks for the rest. The slots that come free are offered to the starved pool
// first.
//
// While preemption is off, a starved pool is only excused from delay (SEMANTICS §5), and a trace says so.
//
// Only pools that may have every agent, with all pools in them, are watched (watched_pools.hpp).
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

/// Starts and stops the clocks of watched pools. To be called after each event.
void watch_shortages(State& state, Time now);
/// Finds slots for the pool whose clock has run out. Returns false when there is none.
bool relieve_one(const Turn& turn);
/// Enforces the PREEMPT whose deadline is over. Returns false when there is none.
bool enforce_one(const Turn& turn);

}  // namespace proffer::allocator
