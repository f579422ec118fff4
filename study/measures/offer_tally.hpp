// The numbers of offers by their outcome, and of declines by their reason.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "proffer/decline_reason.hpp"

namespace proffer::study {

enum class OfferOutcome : std::uint8_t { accepted, declined, rescinded, expired };
inline constexpr std::array<std::string_view, 4> kOfferOutcomes{"accepted", "declined", "rescinded",
                                                                 "expired"};
inline std::string_view to_string(OfferOutcome outcome) {
  return kOfferOutcomes[static_cast<std::size_t>(outcome)];
}

class OfferTally {
 public:
  void made() { ++made_; }
  /// `held`: seconds from the offer to its end.
  void ended(OfferOutcome outcome, double held);
  /// The reason of a decline: of an offer as a whole, or (`rest`) of what an acceptance has left of one.
  void reason(DeclineReason reason, bool rest);
  OfferTally& operator+=(const OfferTally& other);

  std::uint64_t offers() const { return made_; }
  /// Adds offers.*, declines.* (of rests as well), and offer_hold_mean (seconds).
  void measure(std::map<std::string, double>& measures) const;

 private:
  std::uint64_t made_ = 0;
  std::array<std::uint64_t, kOfferOutcomes.size()> outcomes_{};
  std::array<std::uint64_t, kDeclineReasons> reasons_{};
  std::uint64_t rests_ = 0;
  double held_ = 0;  // seconds, over all that ended
};

}  // namespace proffer::study
