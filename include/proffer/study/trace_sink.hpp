// The receiver of every decision of a run as it is made: recorders, digests, event logs.
#pragma once

#include <cstdint>
#include <string_view>

#include "proffer/time.hpp"
#include "proffer/trace.hpp"

namespace proffer::study {

class TraceSink {
 public:
  virtual ~TraceSink() = default;
  /// Takes one line. `source`: see TraceLine; `seq` rises by 1 per line of a source. Lines come in the order
  /// of the run.
  virtual void line(Time time, std::uint64_t seq, std::string_view source, const Trace& trace) = 0;
};

}  // namespace proffer::study
