// The invariants between the tables. For tests: a check looks at everything.
#pragma once

#include "allocator/state/state.hpp"

namespace proffer::allocator {

/// Aborts unless all that must hold after a step does hold. `now`: own time of the last step.
void check(const State& state, Time now);

}  // namespace proffer::allocator
