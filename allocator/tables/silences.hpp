// Silences: frameworks that let offers expire without an answer get no more of that kind, anywhere, for a
// time. Invariant: a silence has an end, which is later each time in a row, and any answer ends it.
//
// Hiding only the agent of the offer would not do: a silent framework would be tried on every agent in turn,
// each time for as long as an offer lasts, and those behind it in the order would wait for all of them.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "allocator/tables/indices.hpp"
#include "allocator/tables/timer_heap.hpp"
#include "proffer/resources.hpp"
#include "proffer/silence.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

class Silences {
 public:
  using Key = std::pair<FrameworkIndex, Kind>;

  /// Notes that an offer has expired; several at once, or during a silence, count as one. Returns the end of
  /// the silence.
  Time expired(FrameworkIndex framework, Kind kind, Time now);
  bool silent(FrameworkIndex framework, Kind kind, Time now) const;
  /// Ends the silences of a framework that has answered an offer, or asked for some. Returns the kinds of
  /// which it may have offers again.
  std::vector<Kind> spoke(FrameworkIndex framework, Time now);
  void forget(FrameworkIndex framework);

  std::optional<Time> next_end() const { return ends_.next(); }
  std::optional<Key> pop_ended(Time now);
  /// Drops void ends. To be called before next_end() is believed.
  void settle();

 private:
  bool still_wanted(Time at, const Key& key) const;

  std::map<Key, Silence> silences_;
  TimerHeap<Key> ends_;
};

}  // namespace proffer::allocator
