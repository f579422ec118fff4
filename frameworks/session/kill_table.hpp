// KILLs that were asked for, sent again until the task has ended.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "frameworks/session/backoff.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer {

class KillTable {
 public:
  /// Asked for again: the newer grace counts.
  void want(Kill kill, Time now);
  void ended(const TaskId& task) { wanted_.erase(task); }
  bool wanted(const TaskId& task) const { return wanted_.contains(task); }
  std::vector<const Kill*> take_due(Time now);
  void new_session(Time now);
  void clear() { wanted_.clear(); }

  std::optional<Time> next_deadline() const;

 private:
  struct Wanted {
    Kill kill;
    Resend resend;
  };
  std::map<TaskId, Wanted> wanted_;
};

}  // namespace proffer
