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

namespace proffer {

/// An offer is outstanding or not; a rescinded one never becomes outstanding (again), for a RESCIND may
/// overtake its OFFERS.
class OfferTable {
 public:
  /// False when it is outstanding already or was rescinded within the last 60 s.
  bool receive(const Offer& offer, Time now);
  /// Those of `ids` that were outstanding; all of them are remembered.
  std::vector<OfferId> rescind(std::span<const OfferId> ids, Time now);
  /// The scheduler has answered it. Its agent; nil when it was not outstanding.
  AgentId answer(OfferId id);
  /// The session is over, and its offers are void.
  void clear();

  std::size_t outstanding() const { return outstanding_.size(); }
  void check_invariants() const;

 private:
  void forget(Time now);

  std::map<OfferId, AgentId> outstanding_;
  std::set<OfferId> rescinded_;
  std::deque<std::pair<Time, OfferId>> rescinded_at_;
};

}  // namespace proffer
