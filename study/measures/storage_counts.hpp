// Replicas beyond those that the store asks for: how much they take, and what was moved to make them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "proffer/trace.hpp"

namespace proffer::study {

class StorageCounts {
 public:
  void counted(const StorageCounted& trace, double now);
  void copy_ended(const CopyEnded& trace);
  void dropped() { ++dropped_; }
  /// Measures are of the time from `now` on.
  void begin(double now);

  /// Nothing when the catalog kept no more replicas than it was asked for.
  void measure(double now, std::map<std::string, double>& measures) const;

 private:
  bool any_ = false;
  double part_ = 0;  // extra bytes of the base's, since `since_`
  double since_ = 0;
  double begin_ = 0;
  double sum_ = 0;  // over time
  double most_ = 0;
  std::uint64_t copied_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace proffer::study
