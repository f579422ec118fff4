// Frameworks that are told when replicas of blocks come and go: those that have reported the use of blocks
// lately, each of the blocks that it has listed. Its invariant: a framework with changes to be sent is among
// those that report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "catalog/tables/block_set.hpp"
#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::catalog {

class Watchers {
 public:
  struct Watcher {
    Time heard{};
    bool reports = false;  ///< a framework; others only list, and are told nothing
    /// The watcher is told of all blocks: those it has listed are not known, or too many to keep.
    bool all = false;
    BlockSet listed;
    std::set<BlockId> changed;  ///< blocks that it is to be told of
    std::size_t bytes = 0;      ///< sent to it since the last heartbeat
  };

  /// Notes a block that a peer has listed. Past the bound on frameworks, a new one is passed over.
  void listed(PeerId peer, BlockId block, Time now);
  /// Notes that a peer has reported. Past the bound, as above.
  void heard(PeerId peer, Time now);
  /// Notes a block that a peer has read. One that it did not list itself shows that others list for it: from
  /// now on it is told of all blocks.
  void read(PeerId peer, BlockId block);
  void forget(PeerId peer);
  /// Forgets those that were silent since then.
  void expire(Time before);

  /// Notes a block whose replicas have changed.
  void note(BlockId block) {
    if (!all_.empty()) changed_.insert(block);
  }
  /// Adds what was noted to the changes of those concerned, and returns all that are to be sent something.
  const std::set<PeerId>& distribute_changes();
  Watcher& at(PeerId peer) { return all_.at(peer); }
  /// Notes that nothing is left to be sent to that peer.
  void sent_all(PeerId peer) { waiting_.erase(peer); }
  /// Begins to count anew what is sent to each.
  void begin_beat();

 private:
  Watcher* find_or_add(PeerId peer);

  std::map<PeerId, Watcher> all_;
  std::set<BlockId> changed_;
  std::set<PeerId> waiting_;  ///< watchers that report and have changes to be sent
};

}  // namespace proffer::catalog
