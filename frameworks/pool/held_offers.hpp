// Messages of offers that a framework has not answered yet, because its policy holds offers.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <utility>

#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

class HeldOffers {
 public:
  /// Keeps a message, to be answered `hold` from now; returns false when that is at once. No later call may
  /// ask for an earlier answer.
  bool keeps(const Offers& offers, Duration hold, Time now);
  void rescind(std::span<const OfferId> offers);
  void clear() { held_.clear(); }
  std::optional<Time> next() const;
  /// Returns the oldest message that is due; none when there is none. A message of which every offer was
  /// rescinded is forgotten.
  std::optional<Offers> take_due(Time now);

 private:
  std::deque<std::pair<Time, Offers>> held_;
};

}  // namespace proffer::frameworks
