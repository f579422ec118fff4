// The counts that are shown to browsers and to Prometheus, from the allocator's traces and from nothing else.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "proffer/formats/snapshot.hpp"
#include "proffer/trace.hpp"

namespace proffer::live {

/// Belongs to the allocator's loop. Invariant: at most kNames names are counted apart, whatever frameworks
/// call themselves; what is beyond goes to kOthers. The last kRemoved frameworks that were removed still have
/// their names, because their tasks end after them.
class Counting {
 public:
  static constexpr std::size_t kNames = 200;
  static constexpr std::size_t kRemoved = 1000;

  void count(const Trace& trace);
  void note_step(double seconds) { tally_.steps.note(seconds); }
  const ClusterTally& tally() const { return tally_; }

 private:
  void apply(const FrameworkSubscribed& trace) { names_[trace.framework] = trace.name; }
  void apply(const FrameworkLost& trace);
  void apply(const OfferMade& trace) { ++of(trace.framework).offers.sent; }
  void apply(const OfferAccepted& trace);
  void apply(const OfferDeclined& trace);
  void apply(const OfferRescinded& trace) { ++of(trace.framework).offers.rescinded; }
  void apply(const OfferExpired& trace) { ++of(trace.framework).offers.expired; }
  void apply(const TaskLaunched& trace) { ++of(trace.framework).launched; }
  void apply(const TaskChanged& trace);
  void apply(const SlotsPreempted& trace);
  void apply(const MessageRefused&) { ++tally_.refused; }
  template <class Other>
  void apply(const Other&) {}

  FrameworkTally& of(FrameworkId framework);

  std::map<FrameworkId, std::string> names_;
  std::deque<FrameworkId> removed_;  // oldest first
  ClusterTally tally_;
};

}  // namespace proffer::live
