// What the catalog is told of the use of blocks, once an interval, where it wants to know: then it keeps more
// replicas of what is in demand. Its invariant: nothing is kept while it does not.
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
  /// What a listing said. True: the catalog should hear of us at once, since it does not know us yet.
  bool want(const UseWanted& wanted, Time now);
  bool on() const { return next_.has_value(); }

  /// A task of the job was launched on `agent`, `here`: where its block is, after the job had `waited`.
  void launched(JobId job, BlockId block, AgentId agent, bool here, Duration waited);
  /// The delay that counts for each pending block of a job which waits since `by_now`: that, or the longest
  /// of its launches since the last report. Zero where delays count for launches only.
  Duration delay_of_pending(JobId job, Duration by_now) const;
  /// A pending task of a job that waits, or has waited, reads this block.
  void pending(BlockId block, Duration waited);

  /// When the next report is due; none: never.
  std::optional<Time> next() const { return next_; }
  /// The report, in pages; at least one. The next one is an interval later.
  std::vector<BlocksUsed> take(Time now);
  /// Nothing more until another listing.
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
