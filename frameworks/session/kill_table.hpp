// KILLs that were asked for, sent again until the task has ended.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "proffer/messages/framework.hpp"
#include "proffer/session/resend.hpp"

namespace proffer::frameworks {

class KillTable {
 public:
  /// Asks for a kill. One that was asked for before takes the newer grace.
  void want(Kill kill, Time now);
  void ended(const TaskId& task) { wanted_.erase(task); }
  bool wanted(const TaskId& task) const { return wanted_.contains(task); }
  /// Returns the kills that are to be sent again now, and sets their next time.
  std::vector<const Kill*> take_due(Time now);
  /// Makes all due at once, since a new session has begun.
  void new_session(Time now);
  void clear() { wanted_.clear(); }

  std::optional<Time> next_deadline() const;

 private:
  struct Wanted {
    Kill kill;
    session::Resend resend;
  };
  std::map<TaskId, Wanted> wanted_;
};

}  // namespace proffer::frameworks
