// The slots that will be free soon, as foreseen at one instant.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "proffer/frameworks/foresight.hpp"

namespace proffer::policies {

/// The times at which each agent has its next free slots of a kind, up to some time ahead.
class FutureSlots {
 public:
  FutureSlots(const Foresight& foresight, Kind kind, Time until);

  /// Returns when the first slot is free on any of these agents but one; none: no slot is in time.
  std::optional<Time> next(std::span<const AgentId> agents, AgentId but) const;
  /// Notes that a free slot on that agent was taken. Nobody foresees yet when the slot is released: `until`
  /// is assumed.
  void take(AgentId agent);

 private:
  Time until_;
  std::map<AgentId, std::vector<Time>> slots_;  // slots by agent, the last first; empty: all were taken
};

}  // namespace proffer::policies
