#include "frameworks/session/offer_table.hpp"

#include "proffer/check.hpp"

namespace proffer {
namespace {
constexpr Duration kRememberRescinds = std::chrono::seconds(60);
}

bool OfferTable::receive(const Offer& offer, Time now) {
  forget(now);
  if (rescinded_.contains(offer.id)) return false;
  return outstanding_.emplace(offer.id, offer.agent.id).second;
}

std::vector<OfferId> OfferTable::rescind(std::span<const OfferId> ids, Time now) {
  forget(now);
  std::vector<OfferId> known;
  for (const auto id : ids) {
    if (outstanding_.erase(id) > 0) known.push_back(id);
    if (rescinded_.insert(id).second) rescinded_at_.emplace_back(now, id);
  }
  return known;
}

AgentId OfferTable::answer(OfferId id) {
  const auto at = outstanding_.find(id);
  if (at == outstanding_.end()) return {};
  const auto agent = at->second;
  outstanding_.erase(at);
  return agent;
}

void OfferTable::clear() {
  outstanding_.clear();
  rescinded_.clear();
  rescinded_at_.clear();
}

void OfferTable::forget(Time now) {
  while (!rescinded_at_.empty() && now - rescinded_at_.front().first > kRememberRescinds) {
    rescinded_.erase(rescinded_at_.front().second);
    rescinded_at_.pop_front();
  }
}

void OfferTable::check_invariants() const {
  PROFFER_CHECK(rescinded_.size() == rescinded_at_.size(), "a rescinded offer without its time");
  for (const auto& [at, id] : rescinded_at_) {
    PROFFER_CHECK(!outstanding_.contains(id), "a rescinded offer is outstanding");
  }
}

}  // namespace proffer
