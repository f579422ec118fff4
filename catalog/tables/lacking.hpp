// Blocks with fewer live replicas than were asked for: since when, and where copies of them have failed. Its
// invariant: agents have failed for blocks that lack replicas only.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::catalog {

class LackingBlocks {
 public:
  /// Notes that replicas may have gone or come back, so that all blocks are to be looked at.
  void request_scan() { requested_ = true; }
  bool needs_scan() const { return requested_ || any_restorable_; }
  /// Notes what a scan of all blocks has found: the blocks that lack replicas, copies under way not counted,
  /// and whether any of these has a replica left, so that it can be copied.
  void scanned(const std::set<BlockId>& lacking, bool any_restorable, Time now) {
    requested_ = false;
    any_restorable_ = any_restorable;
    std::map<BlockId, Lack> lacks;
    for (const auto block : lacking) {
      const auto known = lacks_.find(block);
      lacks[block] = known == lacks_.end() ? Lack{now, {}} : std::move(known->second);
    }
    lacks_ = std::move(lacks);
  }
  bool contains(BlockId block) const { return lacks_.contains(block); }

  // The block must lack replicas.
  Time since(BlockId block) const { return lacks_.at(block).since; }
  /// Returns the agents to which copies have failed.
  const std::set<AgentId>& failed(BlockId block) const { return lacks_.at(block).failed; }
  /// Notes a copy that has failed; the next scan tries another agent.
  void copy_failed(BlockId block, AgentId agent) {
    lacks_.at(block).failed.insert(agent);
    requested_ = true;
  }
  /// Lets all agents be tried again, for want of another.
  void clear_failures(BlockId block) { lacks_.at(block).failed.clear(); }

 private:
  struct Lack {
    Time since;
    std::set<AgentId> failed;
  };
  bool requested_ = false;
  bool any_restorable_ = false;
  std::map<BlockId, Lack> lacks_;
};

}  // namespace proffer::catalog
