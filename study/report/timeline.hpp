// Step functions of time, thinned to equal intervals of which each keeps its time-weighted mean.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace proffer::study::reporting {

class Timeline {
 public:
  /// Divides the time from 0 to `end` seconds.
  Timeline(double end, std::size_t intervals);
  /// Adds `value` from one instant to another; what lies outside of the timeline is cut off.
  void add(double from, double to, double value);

  std::size_t size() const { return integral_.size(); }
  double middle(std::size_t i) const { return width_ * (static_cast<double>(i) + 0.5); }
  /// Returns the mean over a whole interval: 0 while nothing was added.
  double mean(std::size_t i) const { return width_ > 0 ? integral_[i] / width_ : 0; }
  /// Returns the mean over the part of an interval for which something was added; none without such a part.
  std::optional<double> covered_mean(std::size_t i) const;

 private:
  double width_;
  std::vector<double> integral_;
  std::vector<double> covered_;
};

/// The unit in which times are best told.
struct TimeUnit {
  std::string name;    ///< "s", "min" or "h"
  double seconds = 1;  ///< seconds in one of the unit
  std::string column() const { return "time_" + name; }
  std::string title() const { return "time (" + name + ")"; }
};
TimeUnit time_unit_for(double seconds);

}  // namespace proffer::study::reporting
