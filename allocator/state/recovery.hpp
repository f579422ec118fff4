// The time after a start in which the allocator waits for the agents and frameworks of its former life.
#pragma once

#include <cstddef>
#include <optional>

#include "proffer/time.hpp"

namespace proffer::allocator {

/// Invariants: `window_until` is set exactly while somebody is awaited, and `hold_until` only then.
struct Recovery {
  bool begun = true;  ///< false: something was kept, and the times below are not set before the first step
  std::size_t awaited = 0;  ///< agents
  std::size_t missing = 0;  ///< agents that have not come back since the start; those awaited are among them
  std::size_t known = 0;    ///< agents that were awaited at the start
  std::optional<Time> hold_until;    ///< nothing is offered before
  std::optional<Time> window_until;  ///< an agent that has not come back by then is unreachable

  bool holds() const { return !begun || hold_until.has_value(); }
};

}  // namespace proffer::allocator
