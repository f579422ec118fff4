// Slots that worked for nothing, since what ran on them was killed or lost its agent.
#pragma once

#include <map>

#include "proffer/study/ledger.hpp"
#include "proffer/trace.hpp"

namespace proffer::study {

class LostWork {
 public:
  /// Begins to count: what ended before is left out.
  void begin() { killed_ = lost_ = 0; }
  /// The task's agent is silent: what it has run comes to nothing, unless it returns.
  void missed(const FrameworkTask& task, double slot_seconds) { missed_[task] = slot_seconds; }
  void returned(const FrameworkTask& task) { missed_.erase(task); }
  /// The task ended, with so many slot-seconds, which matter unless it was missed before.
  void ended(const FrameworkTask& task, const TaskChanged& how, double slot_seconds) {
    const auto before = missed_.extract(task);
    if (how.state == TaskState::killed) killed_ += slot_seconds;
    if (how.state != TaskState::lost && !is_agents_fault(how.reason)) return;
    lost_ += before.empty() ? slot_seconds : before.mapped();
  }
  double killed() const { return killed_; }
  /// Returns the slot-seconds of tasks that were lost, and of those that are still missed.
  double lost() const {
    auto all = lost_;
    for (const auto& [task, slot_seconds] : missed_) all += slot_seconds;
    return all;
  }

 private:
  double killed_ = 0;
  double lost_ = 0;
  std::map<FrameworkTask, double> missed_;
};

}  // namespace proffer::study
