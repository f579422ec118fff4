// The deficit: what frameworks lack of what they are entitled to, and how much of it by their own choice
// (SEMANTICS §12, deficit).
#pragma once

#include <algorithm>
#include <cstdint>

#include "proffer/decline_reason.hpp"

namespace proffer::study {

/// A decline is the framework's own choice, until it answers otherwise, unless it had no task for the slot.
inline bool is_own_choice(DeclineReason reason) { return reason != DeclineReason::no_pending_task; }

/// Missing slots, or slot-seconds once they are summed over time.
struct Deficit {
  double all = 0;
  double declined = 0;  ///< the part of frameworks whose newest answer was a decline of their own choice

  double imposed() const { return all - declined; }
  Deficit& operator+=(const Deficit& other) {
    all += other.all;
    declined += other.declined;
    return *this;
  }
  friend Deficit operator*(const Deficit& deficit, double times) {
    return {deficit.all * times, deficit.declined * times};
  }
};

/// The deficit of frameworks taken together: what one has too much makes up for what another lacks.
class DeficitCount {
 public:
  /// `due`: min(fair share, demand). `declines`: its newest answer was that, by its own choice.
  void add(double due, std::int64_t running, bool declines) {
    const auto lack = due - static_cast<double>(running);
    lacks_ += lack;
    if (declines) declined_ += std::max(lack, 0.0);
  }
  Deficit sum() const {
    const auto lacks = std::max(lacks_, 0.0);
    return {lacks, std::min(lacks, declined_)};
  }

 private:
  double lacks_ = 0;
  double declined_ = 0;
};

}  // namespace proffer::study
