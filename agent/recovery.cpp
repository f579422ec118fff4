#include "agent/recovery.hpp"

#include "proffer/check.hpp"

namespace proffer::agent {

bool Recovery::over(LaunchId launch) {
  awaited_.erase(launch);
  return disowned_.erase(launch) > 0;
}

void Recovery::check_invariants() const {
  PROFFER_CHECK(!is_told_ || awaited_.empty(), "a run is awaited of which the world has told");
  for (const auto launch : disowned_) {
    PROFFER_CHECK(!awaited_.contains(launch), "a run is disowned before it is known whether it lives");
  }
}

}  // namespace proffer::agent
