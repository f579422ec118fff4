// Which tasks a framework ends for pools of its jobs that starve (SEMANTICS §1).
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

namespace proffer {

class JobPreemption {
 public:
  struct Task {  // that runs
    TaskId id;
    LeafId job;
  };

  /// The tree has these pools, and outlives it. Timeouts are above 0.
  JobPreemption(const PreemptionConfig& config, const std::vector<PoolSpec>& pools, ShareTree& tree);

  bool watches() const { return !watched_.empty(); }
  /// Whose clocks run now, while the framework has so many slots of the kind.
  void watch(Kind kind, std::int64_t slots, Time now);
  /// The job let a slot pass, and will until then; no end: until slots are revived.
  void refused(LeafId job, Kind kind, StarvationClocks::End until);
  void revived(Kind kind, Time now) { clocks_.revived(kind, now); }
  /// When take_due() has something.
  std::optional<Time> next() const { return clocks_.next(); }

  struct Due {
    StarvedPool starved;
    ShareNode node;
    std::int64_t missing = 0;  ///< besides what is on its way
  };
  /// A pool that has been short for too long, and still is.
  std::optional<Due> take_due(Time now);
  /// At most so many tasks, of these, to be ended for it; with `on` they count as gone from now on. None
  /// while preemption is off.
  std::vector<Task> choose(const Due& due, const std::vector<Task>& newest_first);

  /// At most so many tasks, of these, without which nobody is below its fair share. `leaving`: others that
  /// count as gone. None while preemption is off.
  std::vector<Task> spare(Kind kind, std::int64_t most, const std::vector<Task>& newest_first,
                          const std::vector<Task>& leaving) const;

  /// Also while preemption is off.
  bool starved(LeafId job, Kind kind) const;
  void ended(const TaskId& task) { dying_.erase(task); }
  /// The job is gone.
  void forget(LeafId job) { clocks_.forget(job); }

 private:
  struct Watched {
    std::string name;
    ShareNode node;
    std::optional<Duration> min_share_timeout;
  };
  struct Dying {
    LeafId job;
    ShareNode pool;  // for which
    Kind kind;
  };

  std::int64_t target_of(const StarvationClocks::Key& key) const;
  const std::string& name_of(ShareNode pool) const;
  /// What is on its way to the pool, or to pools in it, or to one that it is in.
  std::int64_t expected(ShareNode pool, Kind kind) const;
  /// `starved`: for whom; none: for somebody outside of the framework.
  std::vector<Task> spare_for(std::optional<ShareNode> starved, Kind kind, std::int64_t most,
                              const std::vector<Task>& newest_first, const std::vector<Task>& leaving) const;
  /// The job, and the pools that it is in and the starved one is not.
  std::vector<ShareNode> givers(LeafId job, std::optional<ShareNode> starved) const;

  PreemptionConfig config_;
  ShareTree& tree_;
  std::vector<Watched> watched_;
  StarvationClocks clocks_;
  std::map<TaskId, Dying> dying_;
};

}  // namespace proffer
