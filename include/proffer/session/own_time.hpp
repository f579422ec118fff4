// The time of a process that may be kept from running: by SIGSTOP, a paused machine, a laptop's lid.
#pragma once

#include <optional>

#include "proffer/time.hpp"

namespace proffer::session {

/// Time that stands still while this process does not run: all its deadlines move on by such a gap before any
/// is judged, since nobody is to blame for what we did not hear.
class OwnTime {
 public:
  /// Returns `now` in own time. `due`: the deadline that was asked for, in own time. A step that comes later
  /// than that by more than `tolerance` was kept from running. A tolerance of 0: no pause is ever noticed.
  Time at(Time now, std::optional<Time> due, Duration tolerance);
  Time to_world(Time own) const { return own + slept_; }
  /// Returns the length of all pauses so far.
  Duration slept() const { return slept_; }

 private:
  Duration slept_{};
};

/// Notices pauses of this process by the time between its steps. Unlike OwnTime it lets time run on; its
/// caller forgives its peers their silence in the pause.
class PauseDetector {
 public:
  /// To be called once in each step. Returns the time since the last step if that is longer than `tolerance`,
  /// and 0 otherwise or in the first step.
  Duration step(Time now, Duration tolerance) {
    const auto gap = last_ ? now - *last_ : Duration::zero();
    last_ = now;
    return gap > tolerance ? gap : Duration::zero();
  }

 private:
  std::optional<Time> last_;
};

}  // namespace proffer::session
