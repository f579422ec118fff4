// Samples of who had how many slots, at even times, for plots. Their distance doubles as a run gets long, so
// that there are always between 1,000 and 2,000 of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "proffer/study/results.hpp"

namespace proffer::study {

class ShareRows {
 public:
  /// The time of the next sample, in seconds after the start.
  double next() const { return static_cast<double>(next_) * interval_; }
  /// Takes the rows of all tenants that have or want something, at next().
  void take(std::vector<ShareRow> rows);
  /// Returns the rows by time. A tenant that turns idle has one more row, of zeros.
  std::vector<ShareRow> rows() const;
  /// Returns how many slots of a kind ran at each sample, and (interval()) how many seconds samples are
  /// apart.
  std::vector<double> running(std::string_view kind) const;
  double interval() const { return interval_; }

 private:
  struct Sample {
    double time = 0;
    std::vector<ShareRow> rows;
  };
  void thin_out();

  double interval_ = 1;
  std::uint64_t next_ = 0;  // the number of the next sample
  std::vector<Sample> samples_;
};

}  // namespace proffer::study
