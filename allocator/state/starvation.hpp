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

  /// The framework declined a slot of the kind, or let an offer expire, and refuses more of them `until` then
  /// (none: until it revives). To be called after the slot was given back: a framework that wants no other
  /// slot then refuses nothing, and its pools stay as they are.
  void note_refusal(const Shares& shares, FrameworkIndex framework, Kind kind, std::optional<Time> until);
  /// The framework refuses slots of the kind no longer.
  void note_revival(FrameworkIndex framework, Kind kind, Time now) { clocks.revived(framework, kind, now); }
  /// Whether one of the pools above the framework is starved.
  bool starved(const ShareTree& tree, FrameworkIndex framework, Kind kind) const;
  /// Clocks and claims of the pool begin anew, as if it had had all it should have.
  void forget(ShareNode pool);

  /// Whether the pool may be starved at all.
  bool watches(ShareNode pool) const;
  /// Aborts unless the pool is watched.
  const std::string& name_of(ShareNode pool) const;
};

}  // namespace proffer::allocator
