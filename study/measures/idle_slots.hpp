// The reasons for which slots of a kind stand idle at an instant (SEMANTICS §12: wasted slot-seconds).
#pragma once

#include <cstdint>

namespace proffer::study {

/// Idle slots, or slot-seconds once they are summed over time.
struct IdleSlots {
  double on_offer = 0;  ///< somebody has yet to answer for them
  double declined = 0;  ///< free, but declined by those who want more
  double withheld = 0;  ///< wanted, and not offered: nodes of others, limits, reports that are not due
  double unwanted = 0;  ///< nobody wants more

  double wasted() const { return on_offer + declined + withheld; }
  IdleSlots& operator+=(const IdleSlots& other);
  friend IdleSlots operator*(const IdleSlots& slots, double times);
};

/// Tenants one by one, then what their wishes make of the slots that are left.
class IdleCount {
 public:
  /// `refuses`: it declined what is free although it had tasks for it, and that still holds.
  void add(std::int64_t running, std::int64_t offered, std::int64_t demand, bool refuses);
  IdleSlots of(std::int64_t slots) const;

 private:
  std::int64_t running_ = 0;
  std::int64_t offered_ = 0;
  std::int64_t refused_ = 0;  // wanted beside what they run and are offered, by those who refuse
  std::int64_t wanted_ = 0;   // by the others
};

}  // namespace proffer::study
