// Jain's index (Σx)² / (nΣx²), as it is summed up (Jain, Chiu and Hawe, DEC-TR-301, 1984).
#pragma once

#include <optional>

namespace proffer::study {

class Jain {
 public:
  void add(double x) {
    sum_ += x;
    squares_ += x * x;
    ++n_;
  }
  /// Returns the index, which is in (0, 1]; none for fewer than two values, or when all are 0.
  std::optional<double> index() const {
    if (n_ < 2 || squares_ == 0) return {};
    return sum_ * sum_ / (n_ * squares_);
  }

 private:
  double sum_ = 0;
  double squares_ = 0;
  int n_ = 0;
};

}  // namespace proffer::study
