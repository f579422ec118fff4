// Frameworks that are told when replicas of blocks are made or deleted: whoever has reported the use of
// blocks lately.
#pragma once

#include <map>
#include <set>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer {

class Watchers {
 public:
  /// It has reported; past the bound on frameworks, a new one is passed over.
  void heard(PeerId peer, Time now);
  void forget(PeerId peer) { heard_.erase(peer); }
  /// Drops those that were silent since then.
  void expire(Time before);

  void note(BlockId block) {
    if (!heard_.empty()) changed_.insert(block);
  }
  /// What is yet to be told.
  std::set<BlockId> take_changed();
  const std::map<PeerId, Time>& all() const { return heard_; }

 private:
  std::map<PeerId, Time> heard_;
  std::set<BlockId> changed_;
};

}  // namespace proffer
