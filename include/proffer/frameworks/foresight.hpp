// When slots will be released: what no scheduler knows, and the simulator does.
#pragma once

#include <functional>

#include "proffer/ids.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer {

class Foresight {
 public:
  virtual ~Foresight() = default;
  /// Every task that runs anywhere and will end no later than `until`, as things stand: the kind of slot it
  /// has, where, and when. In the same order for the same state.
  virtual void each_release(Time until, const std::function<void(Kind, AgentId, Time)>& visit) const = 0;
};

}  // namespace proffer
