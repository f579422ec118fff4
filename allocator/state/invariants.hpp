// What must hold between the tables after each step. For tests: it looks at everything.
#pragma once

#include "allocator/state/state.hpp"

namespace proffer::allocator {

/// `now`: own time of the last step. Aborts when something does not hold.
void check(const State& state, Time now);

}  // namespace proffer::allocator
