#include "allocator/tables/silences.hpp"

namespace proffer::allocator {

Time Silences::expired(FrameworkIndex framework, Kind kind, Time now) {
  auto& silence = silences_[{framework, kind}];
  // Offers that were out together expire together; they are one silence, and do not lengthen it.
  if (silence.expired(now)) ends_.push(silence.until, {framework, kind});
  return silence.until;
}

bool Silences::silent(FrameworkIndex framework, Kind kind, Time now) const {
  if (silences_.empty()) return false;
  const auto at = silences_.find({framework, kind});
  return at != silences_.end() && now < at->second.until;
}

std::vector<Kind> Silences::spoke(FrameworkIndex framework, Time now) {
  std::vector<Kind> open;
  auto at = silences_.lower_bound({framework, Kind{}});
  while (at != silences_.end() && at->first.first == framework) {
    if (now < at->second.until) open.push_back(at->first.second);
    at = silences_.erase(at);
  }
  return open;
}

void Silences::forget(FrameworkIndex framework) { static_cast<void>(spoke(framework, Time::min())); }

bool Silences::still_wanted(Time at, const Key& key) const {
  const auto silence = silences_.find(key);
  return silence != silences_.end() && silence->second.until == at;
}

std::optional<Silences::Key> Silences::pop_ended(Time now) {
  return ends_.pop_due(now, [this](Time at, const Key& key) { return still_wanted(at, key); });
}

void Silences::settle() {
  ends_.settle([this](Time at, const Key& key) { return still_wanted(at, key); });
}

}  // namespace proffer::allocator
