#include "allocator/starvation_clocks.hpp"

#include <algorithm>

namespace proffer::allocator {

void StarvationClocks::note(const Key& key, bool is_short, Duration patience, Time now) {
  if (!is_short) {
    clocks_.erase(key);
  } else {
    clocks_.try_emplace(key, Clock{begin_of(key, now), patience, false});
  }
}

std::optional<Time> StarvationClocks::begin_of(const Key& key, Time now) const {
  const auto refusal = refusals_.find({key.pool, key.kind});
  if (refusal == refusals_.end()) return now;
  return refusal->second ? std::optional(std::max(*refusal->second, now)) : std::nullopt;
}

/// Whoever refuses stays short by its own choice, so it is not starved any more either.
void StarvationClocks::refused(ShareNode pool, Kind kind, std::optional<Time> until) {
  refusals_[{pool, kind}] = until;
  for (const auto shortage : {Shortage::of_min_share, Shortage::of_fair_share}) {
    const auto found = clocks_.find({pool, kind, shortage});
    if (found == clocks_.end()) continue;
    found->second.since = until;
    found->second.came_up = false;
  }
}

void StarvationClocks::revived(ShareNode pool, Kind kind, Time now) {
  refusals_.erase({pool, kind});
  for (const auto shortage : {Shortage::of_min_share, Shortage::of_fair_share}) {
    const auto found = clocks_.find({pool, kind, shortage});
    if (found == clocks_.end()) continue;
    auto& since = found->second.since;
    if (!since || *since > now) since = now;
  }
}

void StarvationClocks::forget(ShareNode pool) {
  std::erase_if(clocks_, [pool](const auto& entry) { return entry.first.pool == pool; });
  std::erase_if(refusals_, [pool](const auto& entry) { return entry.first.first == pool; });
}

std::optional<StarvationClocks::Key> StarvationClocks::take_due(Time now) {
  for (auto& [key, clock] : clocks_) {
    if (!clock.since || *clock.since + clock.patience > now) continue;
    clock.since = now;
    clock.came_up = true;
    return key;
  }
  return {};
}

std::optional<Time> StarvationClocks::next() const {
  std::optional<Time> next;
  for (const auto& [key, clock] : clocks_) {
    if (clock.since) next = earlier(next, *clock.since + clock.patience);
  }
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
