#include "allocator/tables/preempt_claims.hpp"

#include <algorithm>
#include <iterator>

namespace proffer::allocator {

void PreemptClaims::put_back(PreemptClaim claim) {
  const auto place =
      std::find_if(claims_.begin(), claims_.end(), [](const PreemptClaim& other) { return !other.killing; });
  claims_.insert(place, claim);
}

void PreemptClaims::settle(FrameworkIndex framework, AgentIndex agent, Kind kind, std::int64_t units) {
  for (auto claim = claims_.begin(); claim != claims_.end() && units > 0;) {
    if (claim->framework != framework || claim->kind != kind) {
      ++claim;
      continue;
    }
    const auto given = std::min(units, claim->owed);
    units -= given;
    claim->owed -= given;
    hold({claim->pool, agent, kind, given});
    claim = claim->owed == 0 ? claims_.erase(claim) : std::next(claim);
  }
}

void PreemptClaims::refused(ShareNode pool, Kind kind) {
  std::erase_if(claims_, [&](const PreemptClaim& claim) { return claim.pool == pool && claim.kind == kind; });
  std::erase_if(held_, [&](const HeldSlots& held) { return held.pool == pool && held.kind == kind; });
}

void PreemptClaims::forget_pool(ShareNode pool) {
  std::erase_if(claims_, [pool](const PreemptClaim& claim) { return claim.pool == pool; });
  std::erase_if(held_, [pool](const HeldSlots& held) { return held.pool == pool; });
}

void PreemptClaims::forget_framework(FrameworkIndex framework) {
  std::erase_if(claims_, [&](const PreemptClaim& claim) { return claim.framework == framework; });
}

void PreemptClaims::forget_agent(AgentIndex agent) {
  std::erase_if(held_, [&](const HeldSlots& held) { return held.agent == agent; });
}

std::optional<PreemptClaim> PreemptClaims::pop_due(Time now) {
  const auto due = std::find_if(claims_.begin(), claims_.end(),
                                [&](const PreemptClaim& claim) { return claim.deadline <= now; });
  if (due == claims_.end()) return {};
  const auto claim = *due;
  claims_.erase(due);
  return claim;
}

std::optional<Time> PreemptClaims::next() const {
  std::optional<Time> next;
  for (const auto& claim : claims_) next = earlier(next, claim.deadline);
  return next;
}

std::vector<HeldSlots> PreemptClaims::pop_held(AgentIndex agent, Kind kind) {
  std::vector<HeldSlots> taken;
  std::erase_if(held_, [&](const HeldSlots& held) {
    const bool here = held.agent == agent && held.kind == kind;
    if (here) taken.push_back(held);
    return here;
  });
  return taken;
}

std::int64_t PreemptClaims::expected(Kind kind, const std::function<bool(ShareNode)>& counts) const {
  std::int64_t units = 0;
  for (const auto& claim : claims_) units += claim.kind == kind && counts(claim.pool) ? claim.owed : 0;
  for (const auto& held : held_) units += held.kind == kind && counts(held.pool) ? held.units : 0;
  return units;
}

std::map<FrameworkIndex, std::int64_t> PreemptClaims::owed(Kind kind) const {
  std::map<FrameworkIndex, std::int64_t> owed;
  for (const auto& claim : claims_) {
    if (claim.kind == kind) owed[claim.framework] += claim.owed;
  }
  return owed;
}

std::int64_t PreemptClaims::being_killed(FrameworkIndex framework, Kind kind) const {
  std::int64_t units = 0;
  for (const auto& claim : claims_) {
    if (claim.killing && claim.framework == framework && claim.kind == kind) units += claim.owed;
  }
  return units;
}

}  // namespace proffer::allocator
