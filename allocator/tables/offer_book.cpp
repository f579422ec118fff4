#include "allocator/tables/offer_book.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::allocator {

const OfferRecord& OfferBook::issue(OfferRecord offer) {
  PROFFER_CHECK(offers_.empty() || offers_.rbegin()->second.made <= offer.made, "offers in order of time");
  PROFFER_CHECK(offer.units() > 0, "an offer of nothing");
  offer.id = {epoch_, ++newest_};
  return offers_.emplace_hint(offers_.end(), newest_, std::move(offer))->second;
}

OfferRecord OfferBook::remove(OfferId id) {
  const auto found = offers_.find(id.n);
  PROFFER_CHECK(id.epoch == epoch_ && found != offers_.end(), "the offer is outstanding");
  auto offer = std::move(found->second);
  offers_.erase(found);
  return offer;
}

std::optional<OfferRecord> OfferBook::expire(Time now) {
  // All offers last equally long, so the oldest is the first to expire.
  const auto next = next_expiry();
  if (!next || *next > now) return {};
  return remove(offers_.begin()->second.id);
}

const OfferRecord* OfferBook::find(OfferId id) const {
  if (id.epoch != epoch_) return nullptr;
  const auto found = offers_.find(id.n);
  return found == offers_.end() ? nullptr : &found->second;
}

std::optional<Time> OfferBook::next_expiry() const {
  if (offers_.empty()) return {};
  return offers_.begin()->second.made + timeout_;
}

}  // namespace proffer::allocator
