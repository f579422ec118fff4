// The counters of a framework that DESCRIBE shows. They are derived from the allocator's traces, and from
// nothing else.
#pragma once

#include "proffer/messages/admin.hpp"
#include "proffer/trace.hpp"

namespace proffer::allocator {

class FrameworkCounts {
 public:
  // Each counts one trace about the framework.
  void apply(const OfferMade&) { ++counts_.offers_sent; }
  void apply(const OfferAccepted& trace) {
    ++counts_.offers_accepted;
    counts_.offers_held += trace.held;
  }
  void apply(const OfferDeclined& trace) {
    ++counts_.offers_declined[static_cast<std::size_t>(trace.reason)];
    counts_.offers_held += trace.held;
  }
  void apply(const OfferRescinded&) { ++counts_.offers_rescinded; }
  void apply(const OfferExpired&) { ++counts_.offers_expired; }
  void apply(const TaskLaunched&) { ++counts_.tasks_launched; }
  /// A task without an agent was never launched, so its end counts as nothing.
  void apply(const TaskChanged& trace) {
    if (!is_terminal(trace.state) || trace.agent == AgentId{}) return;
    ++(trace.state == TaskState::finished ? counts_.tasks_finished : counts_.tasks_failed);
  }

  /// Returns a state in which only the counters are set.
  const FrameworkState& state() const { return counts_; }

 private:
  FrameworkState counts_;
};

}  // namespace proffer::allocator
