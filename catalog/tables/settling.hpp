// The time after a start with files, in which some agents that hold them may not have come back yet.
#pragma once

#include <optional>
#include <utility>

#include "proffer/time.hpp"

namespace proffer::catalog {

class Settling {
 public:
  Settling(bool has_files, Duration period) : awaited_(has_files), period_(period) {}

  /// Called in every step; the period begins with the first one.
  void begin(Time now) {
    if (std::exchange(awaited_, false)) until_ = now + period_;
  }
  bool lasts(Time now) const { return until_ && now < *until_; }

 private:
  bool awaited_;  ///< the period is yet to begin
  Duration period_;
  std::optional<Time> until_;  ///< none: there were no files at the start, or no step has been taken yet
};

}  // namespace proffer::catalog
