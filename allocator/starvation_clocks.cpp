#include "allocator/starvation_clocks.hpp"

namespace proffer::allocator {

void StarvationClocks::note(const Key& key, bool is_short, Duration patience, Time now) {
  if (!is_short) {
    clocks_.erase(key);
  } else {
    clocks_.try_emplace(key, Clock{now, patience, false});
  }
}

/// Whoever refuses stays short by its own choice, so it is not starved any more either.
void StarvationClocks::refused(ShareNode pool, Kind kind, Time now) {
  for (const auto shortage : {Shortage::of_min_share, Shortage::of_fair_share}) {
    const auto found = clocks_.find({pool, kind, shortage});
    if (found == clocks_.end()) continue;
    found->second.since = now;
    found->second.came_up = false;
  }
}

std::optional<StarvationClocks::Key> StarvationClocks::take_due(Time now) {
  for (auto& [key, clock] : clocks_) {
    if (clock.since + clock.patience > now) continue;
    clock.since = now;
    clock.came_up = true;
    return key;
  }
  return {};
}

std::optional<Time> StarvationClocks::next() const {
  std::optional<Time> next;
  for (const auto& [key, clock] : clocks_) next = earlier(next, clock.since + clock.patience);
  return next;
}

bool StarvationClocks::starved(ShareNode pool, Kind kind) const {
  for (const auto shortage : {Shortage::of_min_share, Shortage::of_fair_share}) {
    const auto found = clocks_.find({pool, kind, shortage});
    if (found != clocks_.end() && found->second.came_up) return true;
  }
  return false;
}

}  // namespace proffer::allocator
