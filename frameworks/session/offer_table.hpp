// Offers that wait for the scheduler's answer, and those rescinded lately.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

/// An offer is outstanding or not; a rescinded one never becomes outstanding (again), for a RESCIND may
/// overtake its OFFERS.
class OfferTable {
 public:
  /// Notes an offer. Returns false when it is outstanding already or was rescinded within the last 60 s.
  bool receive(const Offer& offer, Time now);
  /// Takes out offers that are void, and remembers them all. Returns those that were outstanding.
  std::vector<OfferId> rescind(std::span<const OfferId> ids, Time now);
  /// Takes out an offer that the scheduler has answered. Returns its agent; nil when it was not outstanding.
  AgentId answer(OfferId id);
  /// Forgets all offers: the session is over, and they are void.
  void clear();

  std::size_t outstanding() const { return outstanding_.size(); }
  void check_invariants() const;

 private:
  void forget(Time now);

  std::map<OfferId, AgentId> outstanding_;
  std::set<OfferId> rescinded_;
  std::deque<std::pair<Time, OfferId>> rescinded_at_;
};

}  // namespace proffer::frameworks
