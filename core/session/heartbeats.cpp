#include "proffer/session/heartbeats.hpp"

#include <algorithm>

namespace proffer::session {

void Heartbeats::begin(Duration period, Duration silent_after, Time now) {
  period_ = period;
  silent_after_ = std::max(silent_after, 3 * period);
  heard_ = sent_ = now;
}

Duration Heartbeats::woke(Time now) {
  const auto gap = pauses_.step(now, 2 * period_);
  if (!on()) return Duration::zero();
  heard_ = std::min(heard_ + gap, now);
  return gap;
}

std::optional<Time> Heartbeats::next_deadline() const {
  if (!on()) return {};
  return std::min(sent_ + period_, heard_ + silent_after_);
}

}  // namespace proffer::session
