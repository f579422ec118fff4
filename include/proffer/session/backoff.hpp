// Delays between attempts: the first after a short while, then less and less often.
#pragma once

#include <algorithm>
#include <cstdint>

#include "proffer/random.hpp"
#include "proffer/time.hpp"

namespace proffer::session {

/// Full jitter: every delay is uniform below a bound that doubles from `first` to `max`, so that the many
/// clients of a server that failed come back spread out. No delay is below a quarter of `first`, or a second
/// attempt would overtake the answer to the first.
class Backoff {
 public:
  /// `first` counts as 4 microseconds at least, `max` as `first` at least.
  Backoff(Duration first, Duration max)
      : first_(std::max(first, Duration{4})),
        max_(std::max(max, first_)),
        least_(first_ / 4),
        bound_(first_) {}

  Duration next(Random& random) {
    const auto bound = static_cast<std::uint64_t>(bound_.count());
    const Duration delay{static_cast<std::int64_t>(random.below(bound)) + 1};
    bound_ = std::min(bound_ * 2, max_);
    return std::max(delay, least_);
  }
  /// Makes the next delay one of a first attempt.
  void reset() { bound_ = first_; }

 private:
  Duration first_;
  Duration max_;
  Duration least_;
  Duration bound_;
};

}  // namespace proffer::session
