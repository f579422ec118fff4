// Dense numbers for what has long ids, so that tables can be vectors.
#pragma once

#include <cstdint>

#include "proffer/ids.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::allocator {

/// An agent in the ClusterTable; reused when it is removed. Frameworks go by their leaf in the share tree.
using AgentIndex = Id<struct AgentIndexTag, std::uint32_t>;

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
