// The standing of the framework, kind by kind, as the newest OFFERS said.
#pragma once

#include <map>
#include <span>

#include "proffer/frameworks/policy.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer::policies {

class Standings {
 public:
  void update(std::span<const Standing> standings) {
    for (const auto& standing : standings) by_kind_[standing.kind] = standing;
  }
  /// Returns a standing of zeros and false for a kind that no message named.
  const Standing& operator[](Kind kind) const {
    static const Standing kNone;
    const auto at = by_kind_.find(kind);
    return at == by_kind_.end() ? kNone : at->second;
  }
  /// Returns true if a policy may hold that job back: the job has data to wait for, and neither its framework
  /// nor its pool starves.
  bool may_wait(JobId job, Kind kind, const Candidates& jobs) const {
    return jobs.has_preferences(job, kind) && !(*this)[kind].starved && !jobs.starved(job, kind);
  }

 private:
  std::map<Kind, Standing> by_kind_;
};

/// The time after which a work-conserving policy asks for an offer again: it lets slots pass only while other
/// frameworks want them, and learns with the next offer that they do not any more.
inline constexpr Duration kConservingLooksAgain = std::chrono::seconds(1);

/// Returns the reason with which a job declines while it takes nothing farther than `allowed`.
inline DeclineReason waits_for(Locality allowed) {
  return allowed == Locality::node ? DeclineReason::no_node_local : DeclineReason::no_rack_local;
}

}  // namespace proffer::policies
