// Claims: slots that frameworks have to give back for starved pools, and slots that came free that way and
// are held for their pool. Invariants: no claim is of nothing; a slot is held for one pool; and a refusal in
// the pool ends both.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include "allocator/tables/indices.hpp"
#include "proffer/resources.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

struct PreemptClaim {
  ShareNode pool;  ///< the starved pool
  FrameworkIndex framework;
  Kind kind;
  std::int64_t owed = 0;  ///< units that are not given back yet; above 0
  Time deadline;
  bool killing = false;  ///< the deadline has passed, and tasks of `owed` units are being killed
};

struct HeldSlots {
  ShareNode pool;
  AgentIndex agent;
  Kind kind;
  std::int64_t units = 0;  ///< above 0
};

class PreemptClaims {
 public:
  void add(PreemptClaim claim) { claims_.push_back(claim); }
  /// Adds a claim that pop_due() gave, before all those whose tasks are not being killed yet.
  void put_back(PreemptClaim claim);
  /// Settles the oldest claims on a framework with slots of it that came free on an agent, which are held for
  /// the pools of those claims.
  void settle(FrameworkIndex framework, AgentIndex agent, Kind kind, std::int64_t units);
  /// Holds slots that came free without a claim.
  void hold(HeldSlots held) { held_.push_back(held); }
  /// Ends claims and held slots of a pool that refused a slot of that kind.
  void refused(ShareNode pool, Kind kind);
  /// Ends claims and held slots of a pool that is gone, or whose settings have changed.
  void forget_pool(ShareNode pool);
  void forget_framework(FrameworkIndex framework);
  void forget_agent(AgentIndex agent);
  /// Takes out a claim whose deadline is over.
  std::optional<PreemptClaim> pop_due(Time now);
  std::optional<Time> next() const;
  /// Takes out the slots that are held on an agent; the pass that asks offers them.
  std::vector<HeldSlots> pop_held(AgentIndex agent, Kind kind);

  /// Returns the units that are on their way to pools for which `counts` holds.
  std::int64_t expected(Kind kind, const std::function<bool(ShareNode)>& counts) const;
  /// Returns the units that each framework owes.
  std::map<FrameworkIndex, std::int64_t> owed(Kind kind) const;
  /// Returns the part of what a framework owes whose tasks are being killed.
  std::int64_t being_killed(FrameworkIndex framework, Kind kind) const;
  const std::list<PreemptClaim>& all() const { return claims_; }
  const std::vector<HeldSlots>& held() const { return held_; }
  bool empty() const { return claims_.empty() && held_.empty(); }

 private:
  std::list<PreemptClaim> claims_;  ///< oldest first; few
  std::vector<HeldSlots> held_;     ///< fewer
};

}  // namespace proffer::allocator
