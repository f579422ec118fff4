// The times at which something that has not been answered is sent again.
#pragma once

#include <algorithm>

#include "proffer/time.hpp"

namespace proffer::frameworks {

/// The next time of a message that wants an answer: sent again after 1 s, 2 s, 4 s, ... up to 10 s.
struct Resend {
  Time at;
  Duration delay;

  static Resend starting(Duration first, Time now) { return {now + first, first}; }
  void sent(Time now) {
    delay = std::max(delay, std::min(delay * 2, Duration{std::chrono::seconds(10)}));
    at = now + delay;
  }
};

}  // namespace proffer::frameworks
