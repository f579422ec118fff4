// Heartbeats of a session, both ways. Any message counts as one.
#pragma once

#include <optional>

#include "proffer/time.hpp"

namespace proffer {

class Pulse {
 public:
  /// `period` 0: the cluster has no heartbeats; then nothing is ever due, and nobody is ever silent.
  void begin(Duration period, Duration silent_after, Time now);
  void end() { period_ = {}; }

  /// To be called first in every turn. When the process itself has slept for more than two periods (SIGSTOP,
  /// a paused machine), silence in that time proves nothing: the peer's deadline moves on by as much. Returns
  /// by how much.
  Duration woke(Time now);
  void heard(Time now) { heard_ = now; }
  void sent(Time now) { sent_ = now; }

  bool beat_due(Time now) const { return on() && now >= sent_ + period_; }
  bool silent(Time now) const { return on() && now >= heard_ + silent_after_; }
  std::optional<Time> next_deadline() const;

 private:
  bool on() const { return period_ > Duration::zero(); }

  Duration period_{};
  Duration silent_after_{};
  Time heard_;
  Time sent_;
  Time turn_;
};

}  // namespace proffer
