// The outputs of instances that have ended, which their agents keep until they are handed on.
//
// Invariant: a task is held from keep() until it is acknowledged, which happens once.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "proffer/frameworks/scheduler.hpp"
#include "proffer/ids.hpp"

namespace proffer::batch {

class KeptOutputs {
 public:
  /// The task whose terminal status is at hand is not acknowledged yet, so its agent keeps what it wrote.
  void keep(Driver& driver, const TaskId& task) {
    kept_.insert(task);
    driver.hold(task);
  }
  /// The output of that task is needed no longer. No effect before acknowledge(), nor for one that is not
  /// kept.
  void handed_on(TaskId task) { handed_on_.push_back(std::move(task)); }
  /// True when acknowledge() has something to do.
  bool has_handed_on() const { return !handed_on_.empty(); }
  /// Acknowledges what was handed on since the last call, and returns it.
  std::vector<TaskId> acknowledge(Driver& driver) {
    auto tasks = std::exchange(handed_on_, {});
    std::erase_if(tasks, [&](const TaskId& task) { return kept_.erase(task) == 0; });
    for (const auto& task : tasks) driver.acknowledge(task);
    return tasks;
  }
  bool empty() const { return kept_.empty(); }

 private:
  std::set<TaskId> kept_;
  std::vector<TaskId> handed_on_;  ///< since the last acknowledge()
};

}  // namespace proffer::batch
