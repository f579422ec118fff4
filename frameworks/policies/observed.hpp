// What a framework can see of a cluster that nobody described to it: how many agents there are, how fast
// slots come free, how long its tasks take.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// Of one kind of slot. Whole numbers only.
class Observed {
 public:
  /// Time went on by `passed`, in which `running` tasks of the framework ran. `waiting`: some job of it let
  /// slots pass, so that whatever comes free is offered to it.
  void passed(Duration passed, std::int64_t running, bool waiting);
  /// An offer on that agent; `freed`: of slots that were not there to be looked at before.
  void offered(AgentId agent, bool freed);
  void launched() { ++launched_; }

  std::int64_t agents() const { return static_cast<std::int64_t>(agents_.size()); }
  /// How long `skips` slots take to come by; none before the first did.
  std::optional<Duration> time_for(std::int64_t skips) const;
  /// The mean time of a task: slot time over tasks that have ended, of which `running` have not. None before
  /// one has.
  std::optional<Duration> task_time(std::int64_t running) const;

 private:
  std::set<AgentId> agents_;
  bool waiting_ = false;
  std::int64_t releases_ = 0;  ///< while it waited, which took `waited_`; both fade
  Duration waited_{};
  std::int64_t launched_ = 0;
  Duration slot_time_{};
};

}  // namespace proffer
