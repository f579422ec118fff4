// Tasks of which the allocator is asked what has become of them, until it has said so.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "frameworks/session/task_ledger.hpp"
#include "proffer/messages/framework.hpp"
#include "proffer/session/resend.hpp"

namespace proffer::frameworks {

/// A task is asked about again, ever more rarely, until there is a verdict on it: answers may be lost, or put
/// off until the task's agent is back.
class Reconciliation {
 public:
  /// Asks about these tasks, at once.
  void want(const std::set<TaskId>& tasks, Time now);
  /// Asks at once which tasks the allocator knows of, and until no agent is awaited.
  void want_all(Time now);
  /// A verdict on a task has come.
  void settled(const TaskId& task) { tasks_.erase(task); }
  /// A page of an answer has come.
  void received(const Reconciled& page);
  /// Returns whether the allocator is being asked.
  bool open() const { return all_ || !tasks_.empty(); }
  /// Returns the requests that are to be sent now, and sets the time of the next ones. Tasks that have ended
  /// meanwhile are asked about no more.
  std::vector<Reconcile> take_due(const TaskLedger& ledger, Time now);
  void clear() { *this = {}; }

  std::optional<Time> next_deadline() const;

 private:
  void hurry(Time now);

  std::set<TaskId> tasks_;
  bool all_ = false;
  std::uint64_t requests_ = 0;     // requests so far: each has another number
  std::uint64_t all_request_ = 0;  // the newest that asks about all
  std::optional<session::Resend> resend_;
};

}  // namespace proffer::frameworks
