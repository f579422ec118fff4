// Counts of offers by framework and by how they ended, and rows of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/study/results.hpp"
#include "proffer/trace.hpp"
#include "study/measures/offer_tally.hpp"

namespace proffer::study {

class OfferCounts {
 public:
  explicit OfferCounts(bool keep_rows) : keep_rows_(keep_rows) {}

  void made(const OfferMade& offer, const std::string& framework, const std::string& agent, double now);
  void accepted(OfferId offer, double now) {
    ended(offer, OfferOutcome::accepted, {}, now);
    accepted_last_ = offer;
  }
  /// As a whole, or what an acceptance has left of it, which the log tells next.
  void declined(const OfferDeclined& line, double now);
  void rescinded(OfferId offer, double now) { ended(offer, OfferOutcome::rescinded, {}, now); }
  void expired(OfferId offer, double now) { ended(offer, OfferOutcome::expired, {}, now); }

  /// Measures are of what happens from now on.
  void begin() { tallies_.clear(); }
  const std::map<FrameworkId, OfferTally>& by_framework() const { return tallies_; }
  OfferTally all() const;
  std::vector<OfferRow> take_rows() { return std::move(rows_); }

 private:
  struct Open {
    FrameworkId framework;
    double made = 0;
    std::size_t row = 0;
  };
  void ended(OfferId offer, OfferOutcome outcome, std::optional<DeclineReason> reason, double now);

  bool keep_rows_;
  std::map<OfferId, Open> open_;
  std::map<FrameworkId, OfferTally> tallies_;
  std::optional<OfferId> accepted_last_;
  std::vector<OfferRow> rows_;
};

}  // namespace proffer::study
