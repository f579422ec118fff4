// When to try again: the first time after a while, then less and less often.
#pragma once

#include <algorithm>

#include "proffer/random.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// Full jitter: every delay is uniform below a bound that doubles from `first` to `max`, so that many clients
/// of one server that failed come back spread out. Never below a tenth of `first`, or a second try would
/// overtake the answer to the first.
class Backoff {
 public:
  Backoff(Duration first, Duration max)
      : first_(std::max(first, Duration{10})), max_(std::max(max, first_)), bound_(first_) {}

  Duration next(Random& random) {
    const auto bound = static_cast<std::uint64_t>(bound_.count());
    const Duration delay{static_cast<std::int64_t>(random.below(bound)) + 1};
    bound_ = std::min(bound_ * 2, max_);
    return std::max(delay, first_ / 10);
  }
  void reset() { bound_ = first_; }

 private:
  Duration first_;
  Duration max_;
  Duration bound_;
};

/// Something sent that wants an answer: sent again after 1 s, 2 s, 4 s, ... up to 10 s.
struct Resend {
  Time at;
  Duration delay;

  static Resend starting(Duration first, Time now) { return {now + first, first}; }
  void sent(Time now) {
    delay = std::max(delay, std::min(delay * 2, Duration{std::chrono::seconds(10)}));
    at = now + delay;
  }
};

}  // namespace proffer
