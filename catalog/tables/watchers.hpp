// Frameworks that are told when replicas of blocks come and go: whoever has reported the use of blocks
// lately, of the blocks that it has listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "catalog/tables/block_set.hpp"
#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer {

class Watchers {
 public:
  struct Watcher {
    Time heard{};
    bool reports = false;  // a framework; others only list, and are told nothing
    bool all = false;      // what it has listed is not known, or too much to keep
    BlockSet listed;
    std::set<BlockId> news;  // yet to be told
    std::size_t bytes = 0;   // of what it was told in this beat
  };

  /// Past the bound on frameworks, a new one is passed over.
  void listed(PeerId peer, BlockId block, Time now);
  void heard(PeerId peer, Time now);
  /// A block that it read and did not list here shows that others listed for it: from now on it is told of
  /// all blocks.
  void read(PeerId peer, BlockId block);
  void forget(PeerId peer);
  /// Drops those that were silent since then.
  void expire(Time before);

  void note(BlockId block) {
    if (!all_.empty()) changed_.insert(block);
  }
  /// Who is to be told something, after all that was noted.
  const std::set<PeerId>& take_news();
  Watcher& at(PeerId peer) { return all_.at(peer); }
  /// Nothing is left to tell that peer.
  void told(PeerId peer) { with_news_.erase(peer); }
  void new_beat();

 private:
  Watcher* find_or_add(PeerId peer);

  std::map<PeerId, Watcher> all_;
  std::set<BlockId> changed_;
  std::set<PeerId> with_news_;  // that report
};

}  // namespace proffer
