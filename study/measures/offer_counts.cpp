#include "study/measures/offer_counts.hpp"

#include <fmt/format.h>

namespace proffer::study {

void OfferCounts::made(const OfferMade& offer, const std::string& framework, const std::string& agent,
                       double now) {
  tallies_[offer.framework].made();
  open_[offer.offer] = {offer.framework, now, rows_.size()};
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

void OfferCounts::declined(const OfferDeclined& line, double now) {
  ended(line.offer, OfferOutcome::declined, line.reason, now);
  // The rest of an offer that was accepted in the line before is open no more: only its reason is counted.
  if (accepted_last_ != line.offer) return;
  accepted_last_.reset();
  tallies_[line.framework].reason(line.reason, true);
}

void OfferCounts::ended(OfferId offer, OfferOutcome outcome, std::optional<DeclineReason> reason,
                        double now) {
  const auto at = open_.find(offer);
  if (at == open_.end()) return;
  auto& tally = tallies_[at->second.framework];
  tally.ended(outcome, now - at->second.made);
  if (reason) tally.reason(*reason, false);
  if (keep_rows_) {
    auto& row = rows_[at->second.row];
    row.ended = now;
    row.outcome = to_string(outcome);
    if (reason) row.reason = to_string(*reason);
  }
  open_.erase(at);
}

OfferTally OfferCounts::all() const {
  OfferTally sum;
  for (const auto& [framework, tally] : tallies_) sum += tally;
  return sum;
}

}  // namespace proffer::study
