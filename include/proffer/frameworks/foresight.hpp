// Knowledge of when slots come free, which no scheduler has, but the simulator does.
#pragma once

#include <functional>

#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer {

class Foresight {
 public:
  virtual ~Foresight() = default;
  /// Visits every slot of the kind that is free, or will be no later than `until` as things stand: its agent,
  /// and when it comes free (Time{}: it is free). Equal states are visited in the same order.
  virtual void each_slot(Kind kind, Time until, const std::function<void(AgentId, Time)>& visit) const = 0;
};

}  // namespace proffer
