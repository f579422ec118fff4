// The run times of a job's maps that have ended well.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "proffer/time.hpp"

namespace proffer::mapreduce {

class MapTimes {
 public:
  void add(Duration took) { sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), took), took); }
  std::size_t count() const { return sorted_.size(); }
  /// Zero while there are none; of two in the middle the later.
  Duration median() const { return sorted_.empty() ? Duration::zero() : sorted_[sorted_.size() / 2]; }

 private:
  std::vector<Duration> sorted_;
};

}  // namespace proffer::mapreduce
