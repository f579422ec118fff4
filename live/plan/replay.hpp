// The events of a run, from the event logs of all its processes.
#pragma once

#include <string>
#include <vector>

#include "proffer/formats/event_log.hpp"
#include "proffer/result.hpp"
#include "proffer/study/trace_sink.hpp"

namespace proffer::live {

/// Returns all lines in order of their time; of one instant in the order of the files. The clock of all of
/// them is this machine's. `io`, or `invalid` with FILE:LINE.
Result<std::vector<TraceLine>> merged_lines(const std::vector<std::string>& event_logs);

/// The same lines in the time of the plan that was run with `scale` seconds for one of its own: what happened
/// at `start` happened at `plan_start`. Times that a trace holds are of the plan, too.
class PlanClock {
 public:
  PlanClock(Time start, Time plan_start, double scale)
      : start_(start), plan_start_(plan_start), scale_(scale) {}
  /// Returns the plan's time of a real instant; the clock's zero for what came long before the start.
  Time time(Time real) const;
  Duration duration(Duration real) const;
  void convert(TraceLine& line) const;

 private:
  Time start_;
  Time plan_start_;
  double scale_;
};

}  // namespace proffer::live
