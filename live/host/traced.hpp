// Effects whose traces go to the log for people and, where wanted, to an event log.
#pragma once

#include <memory>
#include <string>

#include "live/host/event_log_writer.hpp"
#include "live/host/host.hpp"
#include "live/host/trace_log.hpp"

namespace proffer::live {

class TracedEffects : public Effects {
 public:
  /// Opens the event log; none when `path` is empty. `source`: see TraceLine. `io`.
  Result<> trace_to(const std::string& path, const std::string& source);
  void join(Loop& loop);
  void on_trace(const Trace& trace, Time now) override;

 private:
  /// Counts refusals; returns whether there were enough of them in this second.
  bool refused_enough(Time now);

  TraceLog log_;
  Time second_began_{};
  int refused_in_second_ = 0;
  std::unique_ptr<EventLogWriter> file_;
};

}  // namespace proffer::live
