// Dense numbers for what has long ids, so that tables can be vectors.
#pragma once

#include <cstdint>

#include "proffer/ids.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::allocator {

/// The place of an agent in the ClusterTable; reused after the agent was removed.
using AgentIndex = Id<struct AgentIndexTag, std::uint32_t>;

/// The place of a framework in the FrameworkTable, which is its leaf in the share tree: the share tree mints
/// it, and reuses it after the framework was removed.
using FrameworkIndex = LeafId;

/// Orders what happened within this process: rounds of free slots, declines, changes on an agent.
using Stamp = std::uint64_t;

/// A clock of happenings, not of time.
class Stamps {
 public:
  Stamp next() { return ++newest_; }

 private:
  Stamp newest_ = 0;
};

}  // namespace proffer::allocator
