// When slots come free: what no scheduler knows, and the simulator does.
#pragma once

#include <functional>

#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer {

class Foresight {
 public:
  virtual ~Foresight() = default;
  /// Every slot of the kind that is free, or will be no later than `until` as things stand: where, and when
  /// (Time{}: it is free). In the same order for the same state.
  virtual void each_slot(Kind kind, Time until, const std::function<void(AgentId, Time)>& visit) const = 0;
};

}  // namespace proffer
