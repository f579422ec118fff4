// Blocks with fewer replicas than were asked for, and since when: what another look at all blocks is worth.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer {

class LackingBlocks {
 public:
  /// Replicas may have gone, or come back.
  void disturbed() { disturbed_ = true; }
  bool worth_a_look() const { return disturbed_ || !since_.empty(); }
  /// All blocks were looked at, and these lack replicas.
  void looked(const std::set<BlockId>& lacking, Time now) {
    disturbed_ = false;
    std::map<BlockId, Time> since;
    for (const auto block : lacking) {
      const auto known = since_.find(block);
      since[block] = known == since_.end() ? now : known->second;
    }
    since_ = std::move(since);
  }
  /// One of those that lack some.
  Time since(BlockId block) const { return since_.at(block); }

 private:
  bool disturbed_ = false;
  std::map<BlockId, Time> since_;
};

}  // namespace proffer
