// What frameworks have to give back for starved pools, and slots that came free that way and wait for their
// pool. Its invariants: no claim is of nothing; a slot is held for one pool; and what a pool refuses ends
// both.
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
  ShareNode pool;  // that starves
  FrameworkIndex framework;
  Kind kind;
  std::int64_t owed = 0;  // still; above 0
  Time deadline;
  bool killing = false;  // the deadline has passed, and so much is being killed
};

struct HeldSlots {
  ShareNode pool;
  AgentIndex agent;
  Kind kind;
  std::int64_t units = 0;  // above 0
};

class PreemptClaims {
 public:
  void add(PreemptClaim claim) { claims_.push_back(claim); }
  /// One that pop_due() gave, before all those whose tasks are not being killed yet.
  void put_back(PreemptClaim claim);
  /// Slots of a framework came free on an agent: they settle its oldest claims, and are held for those pools.
  void settle(FrameworkIndex framework, AgentIndex agent, Kind kind, std::int64_t units);
  /// Slots that came free at once, for that pool.
  void hold(HeldSlots held) { held_.push_back(held); }
  /// The pool refused a slot of that kind.
  void refused(ShareNode pool, Kind kind);
  /// The pool is gone, or what it should have has changed.
  void forget_pool(ShareNode pool);
  void forget_framework(FrameworkIndex framework);
  void forget_agent(AgentIndex agent);
  /// A claim whose time is over; it is taken out.
  std::optional<PreemptClaim> pop_due(Time now);
  std::optional<Time> next() const;
  /// What is held there, until the pass that follows.
  std::vector<HeldSlots> pop_held(AgentIndex agent, Kind kind);

  /// What is on its way to pools for which `counts` holds.
  std::int64_t expected(Kind kind, const std::function<bool(ShareNode)>& counts) const;
  /// What each framework owes.
  std::map<FrameworkIndex, std::int64_t> owed(Kind kind) const;
  /// Of what a framework owes, what is being killed.
  std::int64_t being_killed(FrameworkIndex framework, Kind kind) const;
  const std::list<PreemptClaim>& all() const { return claims_; }
  const std::vector<HeldSlots>& held() const { return held_; }
  bool empty() const { return claims_.empty() && held_.empty(); }

 private:
  std::list<PreemptClaim> claims_;  // oldest first; few
  std::vector<HeldSlots> held_;     // fewer
};

}  // namespace proffer::allocator
