#include "study/measures/offer_tally.hpp"

#include <fmt/format.h>

namespace proffer::study {

void OfferTally::ended(OfferOutcome outcome, double held) {
  ++outcomes_[static_cast<std::size_t>(outcome)];
  held_ += held;
}

void OfferTally::reason(DeclineReason reason, bool rest) {
  ++reasons_[static_cast<std::size_t>(reason)];
  if (rest) ++rests_;
}

OfferTally& OfferTally::operator+=(const OfferTally& other) {
  made_ += other.made_;
  for (std::size_t i = 0; i < outcomes_.size(); ++i) outcomes_[i] += other.outcomes_[i];
  for (std::size_t i = 0; i < reasons_.size(); ++i) reasons_[i] += other.reasons_[i];
  rests_ += other.rests_;
  held_ += other.held_;
  return *this;
}

void OfferTally::measure(std::map<std::string, double>& measures) const {
  measures["offers.made"] = static_cast<double>(made_);
  std::uint64_t ended = 0;
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    measures[fmt::format("offers.{}", kOfferOutcomes[i])] = static_cast<double>(outcomes_[i]);
    ended += outcomes_[i];
  }
  measures["offers.rest_declined"] = static_cast<double>(rests_);
  for (std::size_t i = 0; i < kDeclineReasons; ++i) {
    if (reasons_[i] == 0) continue;
    measures[fmt::format("declines.{}", to_string(static_cast<DeclineReason>(i)))] =
        static_cast<double>(reasons_[i]);
  }
  if (ended > 0) measures["offer_hold_mean"] = held_ / static_cast<double>(ended);
}

}  // namespace proffer::study
