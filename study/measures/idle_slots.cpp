#include "study/measures/idle_slots.hpp"

#include <algorithm>

#include "proffer/sharing/share_tree.hpp"

namespace proffer::study {

IdleSlots& IdleSlots::operator+=(const IdleSlots& other) {
  on_offer += other.on_offer;
  declined += other.declined;
  withheld += other.withheld;
  unwanted += other.unwanted;
  return *this;
}

IdleSlots operator*(const IdleSlots& slots, double times) {
  return {slots.on_offer * times, slots.declined * times, slots.withheld * times, slots.unwanted * times};
}

void IdleCount::add(std::int64_t running, std::int64_t offered, std::int64_t demand, bool refuses) {
  running_ += running;
  offered_ += offered;
  const auto more = std::max<std::int64_t>(demand - running - offered, 0);
  auto& sum = refuses ? refused_ : wanted_;
  sum = std::min(sum + more, kUnbounded);
}

/// A wish keeps one slot from being unwanted. Slots that are short of wishes are first those that were
/// declined.
IdleSlots IdleCount::of(std::int64_t slots) const {
  const auto idle = std::max<std::int64_t>(slots - running_, 0);
  const auto on_offer = std::clamp<std::int64_t>(offered_, 0, idle);
  const auto declined = std::min(refused_, idle - on_offer);
  const auto withheld = std::min(wanted_, idle - on_offer - declined);
  const auto unwanted = idle - on_offer - declined - withheld;
  return {static_cast<double>(on_offer), static_cast<double>(declined), static_cast<double>(withheld),
          static_cast<double>(unwanted)};
}

}  // namespace proffer::study
