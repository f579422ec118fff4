// The books of starving pools: which pools are watched, since when each is short, and what others owe it. Its
// invariant: clocks, claims and held slots are of watched pools only; and while a framework in a pool refuses
// slots that it wants, the pool is short by its own choice, so it is owed nothing.
#pragma once

#include <optional>
#include <vector>

#include "allocator/state/watched_pools.hpp"
#include "allocator/tables/preempt_claims.hpp"
#include "allocator/tables/shares.hpp"
#include "proffer/sharing/starvation_clocks.hpp"

namespace proffer::allocator {

struct Starvation {
  std::vector<WatchedPool> watched;  ///< only these have clocks
  StarvationClocks clocks;
  PreemptClaims claims;

  /// Notes that the framework declined a slot of the kind, or let an offer expire, and refuses more of them
  /// `until` then (none: until it revives). To be called after the slot was given back: a framework that then
  /// wants no slot refuses nothing.
  void note_refusal(const Shares& shares, FrameworkIndex framework, Kind kind, std::optional<Time> until);
  /// Ends the framework's refusal of slots of the kind.
  void note_revival(FrameworkIndex framework, Kind kind, Time now) { clocks.revived(framework, kind, now); }
  /// Returns whether one of the pools above the framework is starved.
  bool starved(const ShareTree& tree, FrameworkIndex framework, Kind kind) const;
  /// Lets clocks and claims of the pool begin anew, as if it had had all it should have.
  void forget(ShareNode pool);

  /// Returns whether the pool has clocks.
  bool watches(ShareNode pool) const;
  /// Aborts unless the pool is watched.
  const std::string& name_of(ShareNode pool) const;
};

}  // namespace proffer::allocator
