// The use of blocks, of which the catalog is told once an interval where it wants to know: then it keeps more
// replicas of what is in demand. Invariant: nothing is kept while it does not.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "proffer/messages/catalog.hpp"
#include "proffer/time.hpp"

namespace proffer::mapreduce {

class BlockUses {
 public:
  /// Notes what a listing said. True: the catalog should hear of us at once, since it does not know us yet.
  bool want(const UseWanted& wanted, Time now);
  /// True when the catalog wants to know.
  bool on() const { return next_.has_value(); }

  /// Counts a task of the job that was launched on `agent`, `here`: where its block is, after the job had
  /// `waited`.
  void launched(JobId job, BlockId block, AgentId agent, bool here, Duration waited);
  /// The delay that counts for each pending block of a job which waits since `by_now`: that, or the longest
  /// of its launches since the last report. Zero where delays count for launches only.
  Duration delay_of_pending(JobId job, Duration by_now) const;
  /// Counts a pending task that reads this block, of a job that waits or has waited.
  void pending(BlockId block, Duration waited);

  /// The time at which the next report is due; none: never.
  std::optional<Time> next() const { return next_; }
  /// Takes out the report, in pages; at least one. The next one is an interval later.
  std::vector<BlocksUsed> take(Time now);
  /// Forgets all, and notes nothing more until another listing.
  void stop();

 private:
  void add(BlockId block, Duration waited);

  UseWanted wanted_;
  std::optional<Time> next_;
  std::map<BlockId, BlockUse> uses_;
  std::set<std::pair<BlockId, AgentId>> remote_;
  std::map<JobId, Duration> waits_;
};

}  // namespace proffer::mapreduce
