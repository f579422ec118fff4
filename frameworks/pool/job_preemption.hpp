// The tasks that a framework ends for pools of its jobs that starve (SEMANTICS §1).
//
// The rule is the allocator's: a pool that has been short for too long, and in which no job that wants slots
// let any pass meanwhile, gets what it lacks from the newest tasks of those who have more than their fair
// share, and nobody is brought below that. What is shared out among pools and jobs are the slots that the
// framework has: what it is entitled to besides is the allocator's business, which offers it the next free
// slots.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/frameworks/task_pool.hpp"
#include "proffer/preemption.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "proffer/sharing/starvation_clocks.hpp"

namespace proffer::frameworks {

class JobPreemption {
 public:
  /// A task that runs.
  struct Task {
    TaskId id;
    LeafId job;
  };

  /// `tree` has these pools, and outlives this. Timeouts are above 0.
  JobPreemption(const PreemptionConfig& config, const std::vector<PoolSpec>& pools, ShareTree& tree);

  /// True when some pool may starve.
  bool watches() const { return !watched_.empty(); }
  /// Settles which pools' clocks run now, while the framework has so many slots of the kind.
  void watch(Kind kind, std::int64_t slots, Time now);
  /// Notes that the job let a slot pass, and will until then; no end: until slots are revived.
  void refused(LeafId job, Kind kind, StarvationClocks::End until);
  void revived(Kind kind, Time now) { clocks_.revived(kind, now); }
  /// The time at which take_due() has something; none: never.
  std::optional<Time> next() const { return clocks_.next(); }

  /// A pool that has been short for too long.
  struct Due {
    StarvedPool starved;
    ShareNode node;
    std::int64_t missing = 0;  ///< slots, besides those that are on their way to it
  };
  /// Takes a pool that has been short for too long, and still is.
  std::optional<Due> take_due(Time now);
  /// Chooses tasks to be ended for a pool, at most as many as it misses; with `on` they count as gone from
  /// now on. None while preemption is off.
  std::vector<Task> choose(const Due& due, const std::vector<Task>& newest_first);

  /// Chooses at most so many tasks without which nobody is below its fair share. `leaving`: others that
  /// count as gone. None while preemption is off.
  std::vector<Task> spare(Kind kind, std::int64_t most, const std::vector<Task>& newest_first,
                          const std::vector<Task>& leaving) const;

  /// True when a pool that the job is in has been short for too long; also while preemption is off.
  bool starved(LeafId job, Kind kind) const;
  void ended(const TaskId& task) { dying_.erase(task); }
  /// Forgets a job that is gone.
  void forget(LeafId job) { clocks_.forget(job); }

 private:
  struct Watched {
    std::string name;
    ShareNode node;
    std::optional<Duration> min_share_timeout;
  };
  struct Dying {
    LeafId job;
    ShareNode pool;  ///< the starved pool
    Kind kind;
  };

  std::int64_t target_of(const StarvationClocks::Key& key) const;
  const std::string& name_of(ShareNode pool) const;
  /// The slots that are on their way to the pool, to pools in it, or to one that it is in.
  std::int64_t expected(ShareNode pool, Kind kind) const;
  /// Chooses tasks for that pool, or without one for somebody outside of the framework.
  std::vector<Task> spare_for(std::optional<ShareNode> starved, Kind kind, std::int64_t most,
                              const std::vector<Task>& newest_first, const std::vector<Task>& leaving) const;
  /// The job's node, and the pools that it is in and the starved one is not.
  std::vector<ShareNode> givers(LeafId job, std::optional<ShareNode> starved) const;

  PreemptionConfig config_;
  ShareTree& tree_;
  std::vector<Watched> watched_;
  StarvationClocks clocks_;
  std::map<TaskId, Dying> dying_;
};

}  // namespace proffer::frameworks
