#include "frameworks/pool/held_offers.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::frameworks {

bool HeldOffers::keeps(const Offers& offers, Duration hold, Time now) {
  if (hold <= Duration::zero()) return false;
  const auto until = now + hold;
  PROFFER_CHECK(held_.empty() || held_.back().first <= until,
                "offers are held in the order of their answers");
  held_.emplace_back(until, offers);
  return true;
}

void HeldOffers::rescind(std::span<const OfferId> offers) {
  const auto is_void = [&](const Offer& offer) {
    return std::find(offers.begin(), offers.end(), offer.id) != offers.end();
  };
  for (auto& [until, message] : held_) std::erase_if(message.offers, is_void);
  std::erase_if(held_, [](const auto& entry) { return entry.second.offers.empty(); });
}

std::optional<Time> HeldOffers::next() const {
  if (held_.empty()) return {};
  return held_.front().first;
}

std::optional<Offers> HeldOffers::take_due(Time now) {
  if (held_.empty() || held_.front().first > now) return {};
  auto offers = std::move(held_.front().second);
  held_.pop_front();
  return offers;
}

}  // namespace proffer::frameworks
