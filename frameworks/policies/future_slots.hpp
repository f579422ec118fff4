// The slots that will be free soon.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "proffer/frameworks/foresight.hpp"

namespace proffer {

/// When each agent has its next free slot of a kind, up to some time ahead, as was foreseen at one instant.
class FutureSlots {
 public:
  FutureSlots(const Foresight& foresight, Kind kind, Time until);

  /// The first that is free on any of these agents but one; none: none is in time.
  std::optional<Time> next(std::span<const AgentId> agents, AgentId but) const;
  /// A free slot there was taken. Nobody foresees yet when it is released: at the end of what is foreseen.
  void take(AgentId agent);

 private:
  Time until_;
  std::map<AgentId, std::vector<Time>> slots_;  // of an agent: the last first; empty: all were taken
};

}  // namespace proffer
