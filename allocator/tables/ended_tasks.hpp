// The ids of a framework's newest ended tasks, so that none is used twice. Bounded: the oldest are forgotten.
#pragma once

#include <deque>
#include <string>
#include <unordered_set>

#include "proffer/ids.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {

class EndedTasks {
 public:
  void add(const TaskId& task) {
    if (!known_.insert(task.value).second) return;
    in_order_.push_back(task.value);
    if (in_order_.size() <= limits::kEndedTasks) return;
    known_.erase(in_order_.front());
    in_order_.pop_front();
  }
  bool contains(const TaskId& task) const { return known_.contains(task.value); }

 private:
  std::deque<std::string> in_order_;
  std::unordered_set<std::string> known_;  // never iterated
};

}  // namespace proffer::allocator
