// Estimates of a cluster that nobody described to the framework: how many agents there are, how fast slots
// come free, how long tasks take.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::policies {

/// The observations of one kind of slot, in whole numbers only.
class Observed {
 public:
  /// Notes that time went on by `passed`, in which `running` tasks of the framework ran. `waiting`: some job
  /// let slots pass, so that every slot that comes free is offered.
  void passed(Duration passed, std::int64_t running, bool waiting);
  /// Notes an offer on that agent; `freed`: its slots could not be looked at before.
  void offered(AgentId agent, bool freed);
  void launched() { ++launched_; }

  std::int64_t agents() const { return static_cast<std::int64_t>(agents_.size()); }
  /// Returns how long `skips` slots take to come by; none before the first did.
  std::optional<Duration> time_for(std::int64_t skips) const;
  /// Returns the mean time of a task: slot time over tasks that have ended, which are all that were launched
  /// but `running`. None before one has ended.
  std::optional<Duration> task_time(std::int64_t running) const;

 private:
  std::set<AgentId> agents_;
  bool waiting_ = false;
  std::int64_t releases_ = 0;  ///< during `waited_`, the time spent waiting; both fade
  Duration waited_{};
  std::int64_t launched_ = 0;
  Duration slot_time_{};
};

}  // namespace proffer::policies
