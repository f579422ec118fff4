// Counts of offers by how they ended, and rows of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "proffer/study/results.hpp"
#include "proffer/trace.hpp"

namespace proffer::study {

class OfferCounts {
 public:
  explicit OfferCounts(bool keep_rows) : keep_rows_(keep_rows) {}

  void made(const OfferMade& offer, const std::string& framework, const std::string& agent, double now);
  void accepted(OfferId offer, double now) {
    ended(offer, Outcome::accepted, {}, now);
    accepted_last_ = offer;
  }
  /// As a whole, or what an acceptance has left of it, which the log tells next.
  void declined(OfferId offer, DeclineReason reason, double now);
  void rescinded(OfferId offer, double now) { ended(offer, Outcome::rescinded, {}, now); }
  void expired(OfferId offer, double now) { ended(offer, Outcome::expired, {}, now); }

  /// Adds offers.*, declines.* (of rests as well), offer_hold_mean (seconds) and, with `launched` above 0,
  /// offers_per_task.
  void measure(std::uint64_t launched, std::map<std::string, double>& measures) const;
  std::vector<OfferRow> take_rows() { return std::move(rows_); }

 private:
  enum class Outcome : std::uint8_t { accepted, declined, rescinded, expired };
  static constexpr std::size_t kOutcomes = 4;
  struct Open {
    double made = 0;
    std::size_t row = 0;
  };
  void ended(OfferId offer, Outcome outcome, std::optional<DeclineReason> reason, double now);
  static const char* name_of(Outcome outcome);

  bool keep_rows_;
  std::map<OfferId, Open> open_;
  std::uint64_t made_ = 0;
  std::array<std::uint64_t, kOutcomes> outcomes_{};
  std::array<std::uint64_t, kDeclineReasons> reasons_{};
  std::optional<OfferId> accepted_last_;
  std::uint64_t rests_ = 0;  // declined
  double held_ = 0;          // seconds, over all that ended
  std::vector<OfferRow> rows_;
};

}  // namespace proffer::study
