// The inputs of a reduce, which may have been started before all of its job's maps were done: those it was
// started with, then those that it is told of.
#pragma once

#include <cstdint>
#include <optional>

#include "live/worker/instructions.hpp"
#include "live/worker/report_writer.hpp"

namespace proffer::live {

class ReduceInputs {
 public:
  /// `complete`: it was started with all of them.
  ReduceInputs(bool complete, Instructions& instructions, ReportWriter& reports)
      : complete_(complete), instructions_(instructions), reports_(reports) {}

  /// Returns the next inputs; none when there are no more. Asks again when nothing comes. `io` when the agent
  /// is gone.
  Result<std::optional<MoreInputs>> next();

 private:
  bool complete_;
  std::uint32_t received_ = 0;  // entries of the list so far
  Instructions& instructions_;
  ReportWriter& reports_;
};

}  // namespace proffer::live
