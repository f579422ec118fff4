// The record of a storm for people: figures, the timeline, and violations.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::sim::storm {

inline std::string clock_text(Time time) {
  return fmt::format("{:.3f} s", static_cast<double>(to_us(time)) / 1e6);
}

class Record {
 public:
  explicit Record(bool timeline) : keeps_(timeline) {}

  void count(const std::string& figure, std::uint64_t n = 1) { figures_[figure] += n; }
  /// Returns whether somebody reads the timeline: if not, no line needs to be made.
  bool keeps() const { return keeps_; }
  void line(Time now, const std::string& text) {
    if (keeps_) timeline_.push_back(clock_text(now) + "  " + text);
  }
  /// Notes that an invariant does not hold. `invariant`: in words, as "a task is started once".
  void blame(Time now, const std::string& invariant, const std::string& what) {
    violations_.push_back(invariant + ": at " + clock_text(now) + ", " + what);
    line(now, "VIOLATION of \"" + invariant + "\": " + what);
  }
  bool blamed() const { return !violations_.empty(); }

  std::map<std::string, std::uint64_t> take_figures() { return std::exchange(figures_, {}); }
  std::vector<std::string> take_violations() { return std::exchange(violations_, {}); }
  std::vector<std::string> take_timeline() { return std::exchange(timeline_, {}); }

 private:
  bool keeps_;
  std::map<std::string, std::uint64_t> figures_;
  std::vector<std::string> timeline_;
  std::vector<std::string> violations_;
};

}  // namespace proffer::sim::storm
