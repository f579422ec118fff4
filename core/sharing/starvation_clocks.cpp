#include "proffer/sharing/starvation_clocks.hpp"

#include <algorithm>

namespace proffer {

std::int64_t shortage_target(const ShareTree::Numbers& numbers, Shortage shortage,
                             std::int64_t threshold_milli) {
  constexpr std::int64_t kThousandths = 1000;
  const auto fair = numbers.least_fair;
  const auto least = std::min(numbers.guaranteed, fair);
  if (shortage == Shortage::of_min_share) return numbers.used < least ? least : 0;
  return numbers.used * kThousandths < fair * threshold_milli ? fair : 0;
}

/// Starts or moves a clock. When a refusal ceases to count, the clock behind it may have run out long ago:
/// the pool then comes up now.
void StarvationClocks::run(const Key& key, Duration patience, End refused, Time now) {
  auto& clock = clocks_.try_emplace(key, Clock{now, now, patience, false}).first->second;
  clock.patience = patience;
  clock.runs = refused ? End(std::max({clock.since, *refused, now - patience})) : std::nullopt;
}

void StarvationClocks::refused(LeafId leaf, Kind kind, End until) { refusals_[{kind, leaf}] = until; }

void StarvationClocks::revived(LeafId leaf, Kind kind, Time now) {
  const auto found = refusals_.find({kind, leaf});
  if (found == refusals_.end()) return;
  auto& until = found->second;
  if (!until || *until > now) until = now;
}

void StarvationClocks::revived(Kind kind, Time now) {
  for (auto& [refused, until] : refusals_) {
    if (refused.first == kind && (!until || *until > now)) until = now;
  }
}

void StarvationClocks::forget(LeafId leaf) {
  std::erase_if(refusals_, [&](const auto& refusal) { return refusal.first.second == leaf; });
}

StarvationClocks::End StarvationClocks::refused_until(Kind kind,
                                                      const std::function<bool(LeafId)>& counts) const {
  auto latest = Time::min();
  for (auto at = refusals_.lower_bound({kind, LeafId{}}); at != refusals_.end() && at->first.first == kind;
       ++at) {
    const auto until = at->second.value_or(Time::max());
    if (until > latest && counts(at->first.second)) latest = until;
  }
  return latest == Time::max() ? End() : End(latest);
}

void StarvationClocks::drop_past(Time now) {
  if (!clocks_.empty()) return;
  std::erase_if(refusals_, [&](const auto& refusal) { return refusal.second && *refusal.second <= now; });
}

void StarvationClocks::set_back(ShareNode pool, Kind kind, End until) {
  for (const auto shortage : {Shortage::of_min_share, Shortage::of_fair_share}) {
    const auto found = clocks_.find({pool, kind, shortage});
    if (found == clocks_.end()) continue;
    auto& clock = found->second;
    clock.came_up = false;
    if (clock.runs) clock.runs = until ? End(std::max(*clock.runs, *until)) : std::nullopt;
  }
}

void StarvationClocks::forget(ShareNode pool) {
  std::erase_if(clocks_, [pool](const auto& entry) { return entry.first.pool == pool; });
}

std::optional<StarvationClocks::Key> StarvationClocks::pop_due(Time now) {
  for (auto& [key, clock] : clocks_) {
    if (!clock.runs || *clock.runs + clock.patience > now) continue;
    clock.since = now;
    clock.runs = now;
    clock.came_up = true;
    return key;
  }
  return {};
}

std::optional<Time> StarvationClocks::next() const {
  std::optional<Time> next;
  for (const auto& [key, clock] : clocks_) {
    if (clock.runs) next = earlier(next, *clock.runs + clock.patience);
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

}  // namespace proffer
