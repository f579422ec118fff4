#include "allocator/tables/silences.hpp"

namespace proffer::allocator {

Time Silences::expired(LeafId leaf, Kind kind, Time now) {
  auto& silence = silences_[{leaf, kind}];
  if (silence.expired(now)) ends_.push(silence.until, {leaf, kind});
  return silence.until;
}

bool Silences::silent(LeafId leaf, Kind kind, Time now) const {
  if (silences_.empty()) return false;
  const auto at = silences_.find({leaf, kind});
  return at != silences_.end() && now < at->second.until;
}

std::vector<Kind> Silences::spoke(LeafId leaf, Time now) {
  std::vector<Kind> open;
  auto at = silences_.lower_bound({leaf, Kind{}});
  while (at != silences_.end() && at->first.first == leaf) {
    if (now < at->second.until) open.push_back(at->first.second);
    at = silences_.erase(at);
  }
  return open;
}

void Silences::forget(LeafId leaf) { static_cast<void>(spoke(leaf, Time::min())); }

bool Silences::still_wanted(Time at, const Key& key) const {
  const auto silence = silences_.find(key);
  return silence != silences_.end() && silence->second.until == at;
}

std::optional<Silences::Key> Silences::take_ended(Time now) {
  return ends_.take_due(now, [this](Time at, const Key& key) { return still_wanted(at, key); });
}

void Silences::settle() {
  ends_.settle([this](Time at, const Key& key) { return still_wanted(at, key); });
}

}  // namespace proffer::allocator
