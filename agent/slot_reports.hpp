// The times at which an agent reports on its slots, if its allocator wants reports (SlotReport). Its
// invariant: there is a next report exactly while there is a period.
#pragma once

#include <optional>

#include "proffer/random.hpp"
#include "proffer/time.hpp"

namespace proffer::agent {

class SlotReports {
 public:
  /// Begins anew, with a first report at a random time within the period: nothing keeps agents in step. A
  /// period of 0: there are no reports.
  void begin(Duration period, Random& random, Time now);
  /// Returns whether to report now, and sets when to do so next.
  bool take_due(Time now);
  std::optional<Time> next() const { return next_; }

 private:
  Duration period_{};
  std::optional<Time> next_;
};

}  // namespace proffer::agent
