#include "frameworks/session/pulse.hpp"

#include <algorithm>
#include <utility>

namespace proffer {

void Pulse::begin(Duration period, Duration silent_after, Time now) {
  period_ = period;
  silent_after_ = std::max(silent_after, 3 * period);  // a slow cluster is not a silent one
  heard_ = sent_ = turn_ = now;
}

Duration Pulse::woke(Time now) {
  const auto gap = now - std::exchange(turn_, now);
  if (!on() || gap <= 2 * period_) return Duration::zero();
  heard_ = std::min(heard_ + gap, now);
  return gap;
}

std::optional<Time> Pulse::next_deadline() const {
  if (!on()) return {};
  return std::min(sent_ + period_, heard_ + silent_after_);
}

}  // namespace proffer
