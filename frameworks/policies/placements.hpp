// The plan for the slots of a message, until they are asked for one by one.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "frameworks/policies/task_graph.hpp"
#include "proffer/frameworks/policy.hpp"

namespace proffer::policies {

class Placements {
 public:
  void clear() { planned_.clear(); }
  void add(Kind kind, std::vector<TaskGraph::Placed> placed) {
    for (auto& one : placed) planned_[{kind, one.agent}].push_back(std::move(one));
  }
  /// Returns the next planned task for that slot. A job may be barred from an agent, which no plan knows: its
  /// tasks are passed over.
  Choice take(const SlotLook& slot, const Candidates& jobs) {
    const auto at = planned_.find({slot.kind, slot.agent.id});
    while (at != planned_.end() && !at->second.empty()) {
      const auto next = std::move(at->second.back());
      at->second.pop_back();
      if (!jobs.nearest(next.job, slot.kind, slot.agent)) continue;
      return Take{next.job, next.locality, next.waited, next.task};
    }
    return Pass{jobs.in_order(slot.kind).empty() ? DeclineReason::no_pending_task : DeclineReason::policy};
  }

 private:
  std::map<std::pair<Kind, AgentId>, std::vector<TaskGraph::Placed>> planned_;  // last first
};

}  // namespace proffer::policies
