#include "agent/slot_reports.hpp"

namespace proffer::agent {

void SlotReports::begin(Duration period, Random& random, Time now) {
  period_ = period;
  next_.reset();
  if (period <= Duration::zero()) return;
  next_ = now + Duration(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(period.count()))));
}

bool SlotReports::take_due(Time now) {
  if (!next_ || *next_ > now) return false;
  // Reports that were missed, in a pause, are not made up for.
  *next_ = now + period_ - (now - *next_) % period_;
  return true;
}

}  // namespace proffer::agent
