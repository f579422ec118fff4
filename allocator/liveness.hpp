// Who is silent for how long, heartbeats to everybody, and our own sleep (RELIABILITY §2.2).
#pragma once

#include <optional>

#include "allocator/turn.hpp"

namespace proffer::allocator {

/// Time that stands still while this process does not run: all its deadlines move on by such a gap before any
/// is judged (H4), since nobody is to blame for what we did not hear.
class OwnTime {
 public:
  /// `due`: the deadline that was asked for, in own time. A step that comes later than that by more than a
  /// heartbeat was kept from running.
  Time at(Time now, std::optional<Time> due, Duration heartbeat);
  Time to_world(Time own) const { return own + slept_; }

 private:
  Duration slept_{};
};

/// To be called when a session opens.
void watch(const Turn& turn, AgentRecord& agent);
void watch(const Turn& turn, FrameworkRecord& framework);
/// Any valid message counts as a sign of life (H1).
void heard(const Turn& turn, AgentRecord& agent);
void heard(const Turn& turn, FrameworkRecord& framework);

/// Each judges the next that is due, and says whether there was one.
bool judge_agent(const Turn& turn);
bool judge_framework(const Turn& turn);
bool beat(const Turn& turn);
/// Drops deadlines that are void, so that nobody is woken for them.
void settle_silence(AllocatorState& state);

}  // namespace proffer::allocator
