// The time of a process that may be kept from running: SIGSTOP, a paused machine, a laptop's lid.
#pragma once

#include <optional>

#include "proffer/time.hpp"

namespace proffer {

/// Time that stands still while this process does not run: all its deadlines move on by such a gap before any
/// is judged, since nobody is to blame for what this process did not hear meanwhile.
class OwnTime {
 public:
  /// Returns the own time at `now`. `due`: the deadline that was asked for, in own time. A step that comes
  /// later than that by more than `tolerance` was kept from running. A tolerance of 0: no pause is ever
  /// noticed.
  Time at(Time now, std::optional<Time> due, Duration tolerance);
  Time to_world(Time own) const { return own + slept_; }
  /// The sum of all pauses so far.
  Duration slept() const { return slept_; }

 private:
  Duration slept_{};
};

}  // namespace proffer
