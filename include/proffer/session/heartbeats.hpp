// The heartbeats of a session, both ways, as a client keeps them.
#pragma once

#include <cstdint>
#include <optional>

#include "proffer/session/own_time.hpp"
#include "proffer/time.hpp"

namespace proffer::session {

/// When we have to say something so that we are not given up, and when the peer has been silent for too long.
/// Any message counts as a heartbeat. Between end() and begin() nothing is due, and nobody is silent.
class Heartbeats {
 public:
  /// Begins with a session. `period` 0: the cluster has no heartbeats, so that nothing is ever due and nobody
  /// ever silent. The peer may be silent for `silent_after`, but for three periods at least: a slow cluster is
  /// not a silent one.
  void begin(Duration period, Duration silent_after, Time now);
  void end() { period_ = {}; }

  /// To be called first in every step, before silence is judged. A gap of more than two periods since the
  /// last step means that the process itself has slept (SIGSTOP, a paused machine); silence in that time
  /// proves nothing, so the peer gets as much more. Returns that gap; 0: there was none.
  Duration woke(Time now);
  void heard(Time now) { heard_ = now; }
  void sent(Time now) { sent_ = now; }

  bool beat_due(Time now) const { return on() && now >= sent_ + period_; }
  bool silent(Time now) const { return on() && now >= heard_ + silent_after_; }
  /// Returns the number of the next HEARTBEAT: from 1, over all sessions.
  std::uint64_t next_number() { return ++number_; }
  std::optional<Time> next_deadline() const;

 private:
  bool on() const { return period_ > Duration::zero(); }

  Duration period_{};
  Duration silent_after_{};
  Time heard_{};
  Time sent_{};
  std::uint64_t number_ = 0;
  PauseDetector pauses_;
};

}  // namespace proffer::session
