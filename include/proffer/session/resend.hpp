// The times at which a message that has not been answered is sent again.
#pragma once

#include <algorithm>

#include "proffer/time.hpp"

namespace proffer::session {

/// The next time of a message that wants an answer: sent again after `first`, then after twice as long each
/// time, up to `max`. Without jitter; for many clients of one server there is Backoff.
class Resend {
 public:
  /// The message was sent for the first time at `now`. `max` counts as `first` at least.
  Resend(Duration first, Duration max, Time now)
      : at_(now + first), delay_(first), max_(std::max(first, max)) {}

  Time at() const { return at_; }
  bool is_due(Time now) const { return at_ <= now; }
  /// Sets the next time, after the message was sent again.
  void sent(Time now) {
    delay_ = std::min(delay_ * 2, max_);
    at_ = now + delay_;
  }
  /// Makes the message due at once. The delays that follow go on growing.
  void hurry(Time now) { at_ = now; }

 private:
  Time at_;
  Duration delay_;
  Duration max_;
};

}  // namespace proffer::session
