#include "study/measures/offer_counts.hpp"

#include <fmt/format.h>

namespace proffer::study {

void OfferCounts::made(const OfferMade& offer, const std::string& framework, const std::string& agent,
                       double now) {
  ++made_;
  open_[offer.offer] = {now, rows_.size()};
  if (!keep_rows_) return;
  OfferRow row;
  row.offer = fmt::format("{}.{}", offer.offer.epoch, offer.offer.n);
  row.framework = framework;
  row.agent = agent;
  row.made = now;
  for (const auto& [kind, units] : offer.resources) {
    row.kind = kind.name();
    row.slots += units;
  }
  rows_.push_back(std::move(row));
}

void OfferCounts::declined(OfferId offer, DeclineReason reason, double now) {
  ended(offer, Outcome::declined, reason, now);
  // The rest of an offer that was accepted in the line before is open no more: only its reason is counted.
  if (accepted_last_ != offer) return;
  accepted_last_.reset();
  ++rests_;
  ++reasons_[static_cast<std::size_t>(reason)];
}

void OfferCounts::ended(OfferId offer, Outcome outcome, std::optional<DeclineReason> reason, double now) {
  const auto at = open_.find(offer);
  if (at == open_.end()) return;
  held_ += now - at->second.made;
  ++outcomes_[static_cast<std::size_t>(outcome)];
  if (reason) ++reasons_[static_cast<std::size_t>(*reason)];
  if (keep_rows_) {
    auto& row = rows_[at->second.row];
    row.ended = now;
    row.outcome = name_of(outcome);
    if (reason) row.reason = to_string(*reason);
  }
  open_.erase(at);
}

const char* OfferCounts::name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::accepted:
      return "accepted";
    case Outcome::declined:
      return "declined";
    case Outcome::rescinded:
      return "rescinded";
    case Outcome::expired:
      break;
  }
  return "expired";
}

void OfferCounts::measure(std::uint64_t launched, std::map<std::string, double>& measures) const {
  measures["offers.made"] = static_cast<double>(made_);
  std::uint64_t ended = 0;
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    measures[fmt::format("offers.{}", name_of(static_cast<Outcome>(i)))] = static_cast<double>(outcomes_[i]);
    ended += outcomes_[i];
  }
  measures["offers.rest_declined"] = static_cast<double>(rests_);
  for (std::size_t i = 0; i < kDeclineReasons; ++i) {
    if (reasons_[i] == 0) continue;
    measures[fmt::format("declines.{}", to_string(static_cast<DeclineReason>(i)))] =
        static_cast<double>(reasons_[i]);
  }
  if (ended > 0) measures["offer_hold_mean"] = held_ / static_cast<double>(ended);
  if (launched > 0) measures["offers_per_task"] = static_cast<double>(made_) / static_cast<double>(launched);
}

}  // namespace proffer::study
