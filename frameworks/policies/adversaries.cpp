#include "frameworks/policies/adversaries.hpp"

namespace proffer::policies {
namespace {

/// Takes the slot as `greedy` does; passes when no job wants it.
Choice take_for_neediest(const SlotLook& slot, const Candidates& jobs) {
  for (const auto job : jobs.in_order(slot.kind)) {
    if (const auto nearest = jobs.nearest(job, slot.kind, slot.agent)) return Take{job, *nearest, {}};
  }
  return Pass{DeclineReason::no_pending_task};
}

}  // namespace

HoardPolicy::HoardPolicy(Settings& settings) : hold_(settings.duration("hold", std::chrono::seconds(25))) {
  if (hold_ <= Duration::zero()) settings.fail("hold", "longer than nothing");
}

Choice HoardPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time /*now*/) {
  const auto at = taken_.find(slot.kind);
  if (at != taken_.end() && at->second == slot.offer) {
    declined_.insert(slot.kind);
    return Pass{DeclineReason::policy};
  }
  taken_[slot.kind] = slot.offer;
  return take_for_neediest(slot, jobs);
}

RandomDeclinePolicy::RandomDeclinePolicy(Settings& settings)
    : declined_(settings.millionths("part", 500'000)),
      hold_(settings.duration("hold", std::chrono::seconds(1))),
      random_(static_cast<std::uint64_t>(settings.count("seed", 1))) {
  if (hold_ <= Duration::zero()) settings.fail("hold", "longer than nothing");
}

Choice RandomDeclinePolicy::consider(const SlotLook& slot, const Candidates& jobs, Time /*now*/) {
  if (jobs.in_order(slot.kind).empty()) return Pass{DeclineReason::no_pending_task};
  // One draw an offer, however many slots it has.
  if (drawn_ != slot.offer) declines_ = static_cast<std::int64_t>(random_.below(1'000'000)) < declined_;
  drawn_ = slot.offer;
  if (declines_) return Pass{DeclineReason::policy};
  return take_for_neediest(slot, jobs);
}

Choice NeverAcceptPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time /*now*/) {
  const bool idle = jobs.in_order(slot.kind).empty();
  return Pass{idle ? DeclineReason::no_pending_task : DeclineReason::policy};
}

}  // namespace proffer::policies
