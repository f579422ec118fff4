// Where the framework stands, kind by kind, as the newest OFFERS said.
#pragma once

#include <map>
#include <span>

#include "proffer/frameworks/policy.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer {

class Standings {
 public:
  void update(std::span<const Standing> standings) {
    for (const auto& standing : standings) by_kind_[standing.kind] = standing;
  }
  /// All zero and false for a kind that nobody spoke of.
  const Standing& operator[](Kind kind) const {
    static const Standing kNone;
    const auto at = by_kind_.find(kind);
    return at == by_kind_.end() ? kNone : at->second;
  }
  /// Whether a policy may hold that job back: it has data to wait for, and neither its framework nor its pool
  /// starves.
  bool may_wait(JobId job, Kind kind, const Candidates& jobs) const {
    return jobs.has_preferences(job, kind) && !(*this)[kind].starved && !jobs.starved(job, kind);
  }

 private:
  std::map<Kind, Standing> by_kind_;
};

/// A work-conserving policy lets slots pass only while other frameworks want them, and hears of their end
/// with the next offer: so soon it asks for one.
inline constexpr Duration kConservingLooksAgain = std::chrono::seconds(1);

/// Why a job passes a slot on that it would take only at `allowed`.
inline DeclineReason waits_for(Locality allowed) {
  return allowed == Locality::node ? DeclineReason::no_node_local : DeclineReason::no_rack_local;
}

}  // namespace proffer
