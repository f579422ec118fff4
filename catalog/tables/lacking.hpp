// Blocks with fewer live replicas than were asked for, since when, and where copies of them came to nothing;
// whether another look at all blocks is worth it.
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
  bool worth_a_look() const { return disturbed_ || can_be_helped_; }
  /// All blocks were looked at, and these lack replicas, copies under way not counted. `can_be_helped`: some
  /// of them have one left.
  void looked(const std::set<BlockId>& lacking, bool can_be_helped, Time now) {
    disturbed_ = false;
    can_be_helped_ = can_be_helped;
    std::map<BlockId, Lack> lacks;
    for (const auto block : lacking) {
      const auto known = lacks_.find(block);
      lacks[block] = known == lacks_.end() ? Lack{now, {}} : std::move(known->second);
    }
    lacks_ = std::move(lacks);
  }
  bool contains(BlockId block) const { return lacks_.contains(block); }
  /// Of one that lacks some.
  Time since(BlockId block) const { return lacks_.at(block).since; }
  const std::set<AgentId>& failed(BlockId block) const { return lacks_.at(block).failed; }
  /// A copy to that agent came to nothing; the next look tries another.
  void failed_at(BlockId block, AgentId agent) {
    lacks_.at(block).failed.insert(agent);
    disturbed_ = true;
  }
  /// There is no other: all may be tried again.
  void forgive(BlockId block) { lacks_.at(block).failed.clear(); }

 private:
  struct Lack {
    Time since;
    std::set<AgentId> failed;
  };
  bool disturbed_ = false;
  bool can_be_helped_ = false;
  std::map<BlockId, Lack> lacks_;
};

}  // namespace proffer
