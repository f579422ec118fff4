// Statuses on their way to the allocator. Only the oldest of each task is under way; it is sent again until
// it is acknowledged, or another of the task has come that takes its place, whatever becomes of other tasks'
// statuses. An end is sent until it is acknowledged.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "agent/task_key.hpp"
#include "proffer/messages/agent.hpp"
#include "proffer/random.hpp"
#include "proffer/time.hpp"

namespace proffer::agent {

class StatusOutbox {
 public:
  /// A status is sent again after `first`, then twice as long, ... up to `max`, each +-20%.
  StatusOutbox(Duration first, Duration max) : first_(first), max_(max) {}

  /// Replaces a status of the same task that is not terminal and was never sent. Aborts unless its number is
  /// above those before it. One that was sent gives way later, if nobody acknowledges it in time.
  void push(Status status, Time now);
  /// Returns the statuses that are to be sent now, and sets when each is to be sent again.
  std::vector<Status> take_due(Random& random, Time now);
  /// Ends the sending of the status under way, if `seq` is its number, and returns it; no effect otherwise.
  std::optional<Status> acknowledge(const TaskKey& key, std::uint64_t seq, Time now);
  /// Ends of tasks that were never sent are held back until then; those that come by then as well.
  void hold_ends_until(Time report) { report_ = report; }
  /// Makes all that is under way due again, with the delays of a first attempt; at most 500 a second.
  void new_session(Time now);

  std::optional<Time> next_deadline() const;
  /// Returns the statuses of a task's launch that are not acknowledged, the oldest first.
  std::vector<TaskStatus> of(const TaskKey& key, LaunchId launch) const;
  /// Returns whether each status has been sent once at least.
  bool all_sent() const;
  /// Returns the terminal statuses that are not acknowledged.
  std::vector<Status> terminal() const;
  /// Returns how many of them are of one framework.
  std::size_t terminal_count(FrameworkId framework) const;
  void check_invariants() const;

 private:
  struct Queue {
    std::deque<Status> statuses;  // never empty
    bool sent = false;            // the first of them, once at least
    Duration delay{};             // until it is sent again
    Time due{};
  };
  using Queues = std::map<TaskKey, Queue>;
  void schedule(Queues::iterator queue, Time due);
  void supersede(Queues::iterator queue);
  void begin_head(Queues::iterator queue, Time due);

  Duration first_;
  Duration max_;
  Time report_ = Time::min();  // no end is sent for the first time before
  Queues queues_;
  std::set<std::pair<Time, TaskKey>> due_;       // one for each queue
  std::map<FrameworkId, std::size_t> terminal_;  // how many; never 0
};

}  // namespace proffer::agent
