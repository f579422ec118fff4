#include "frameworks/policies/greedy.hpp"

namespace proffer {

Choice GreedyPolicy::consider(const SlotLook& slot, const Candidates& jobs, Time /*now*/) {
  for (const auto job : jobs.in_order(slot.kind)) {
    if (const auto nearest = jobs.nearest(job, slot.kind, slot.agent)) return Take{job, *nearest, {}};
  }
  return Pass{DeclineReason::no_pending_task};
}

}  // namespace proffer
