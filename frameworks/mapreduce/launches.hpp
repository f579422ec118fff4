// The launched attempts that have not ended: whose each is, and how those of long jobs are spread over the
// agents (long-task balancing, see long_tasks.hpp).
//
// Invariant: where long tasks are balanced, an attempt counts as running for its job exactly while it is
// here.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "frameworks/mapreduce/long_tasks.hpp"
#include "frameworks/mapreduce/recent_agents.hpp"
#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::mapreduce {

/// The owner of a launched attempt, and the agent where it was launched.
struct Owner {
  JobId job;
  bool map = false;
  AgentId agent;
};

class Launches {
 public:
  /// `balances`: long tasks are balanced. Else no agent is ever crowded.
  explicit Launches(bool balances) : balances_(balances) {}

  /// Notes that the agent has offered slots, so long tasks may be spread over it.
  void offered(AgentId agent, Time now);
  /// Adds an attempt. Aborts when it is here.
  void launched(const TaskId& attempt, const Owner& owner);
  /// The owner of an attempt; none when it has ended or was never launched.
  std::optional<Owner> owner_of(const TaskId& attempt) const;
  /// Removes an attempt that has ended, after it ran for `took`; zero: not well, or nobody knows for how
  /// long.
  void ended(const TaskId& attempt, Duration took);

  /// Notes that a job, none of whose tasks runs yet, uses that cached file.
  void uses(JobId job, BlockId file);
  /// Forgets a job none of whose tasks runs any more.
  void forget(JobId job);
  /// True when the job gets no further slot on that agent, where `placed` of its tasks are about to run
  /// besides. A true answer is remembered for take_relief().
  bool crowded(JobId job, AgentId agent, std::size_t placed);
  /// True when attempts were launched or have ended since the last call, and a slot was refused as crowded
  /// before: what was refused may suit now.
  bool take_relief();

  /// Aborts unless the invariant holds.
  void check_invariants() const;

 private:
  bool balances_;
  std::map<TaskId, Owner> owners_;
  LongTasks long_tasks_;
  RecentAgents recent_;
  bool refused_ = false;  ///< a slot, where too many long tasks run
  bool changed_ = false;  ///< attempts were launched or have ended
};

}  // namespace proffer::mapreduce
