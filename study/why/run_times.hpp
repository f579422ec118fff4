// Run times: how long tasks lasted, and what follows for those that run.
#pragma once

#include <optional>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::study::why {

class RunTimes {
 public:
  void add(Duration lasted) { lasted_.push_back(lasted); }
  bool empty() const { return lasted_.empty(); }
  /// Returns how much longer a task lasts that has run for `elapsed`: the mean over those that lasted at
  /// least so long. None: there is none of these.
  std::optional<Duration> left(Duration elapsed) const {
    Duration sum{};
    std::int64_t longer = 0;
    for (const auto lasted : lasted_) {
      if (lasted < elapsed) continue;
      sum += lasted - elapsed;
      ++longer;
    }
    return longer == 0 ? std::nullopt : std::optional(sum / longer);
  }

 private:
  std::vector<Duration> lasted_;
};

}  // namespace proffer::study::why
