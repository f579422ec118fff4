// Digests of the allocator's tasks, compared with the ones here.
#pragma once

#include <chrono>

#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

/// Tells views that differ for good from news that is under way.
class DigestWatch {
 public:
  /// Compares two digests. Returns true when they have differed three times in a row, and not more often than
  /// that can help: where asking changes nothing, the next time is ever later.
  bool differs(const TaskDigest& ours, const TaskDigest& theirs, Time now);
  /// Begins anew, as with a new session.
  void reset();

 private:
  static constexpr int kInARow = 3;
  static constexpr Duration kFirstPause = std::chrono::seconds(10);
  static constexpr Duration kLongestPause = std::chrono::minutes(10);

  int differing_ = 0;
  Time not_before_{};
  Duration pause_ = kFirstPause;
};

}  // namespace proffer::frameworks
