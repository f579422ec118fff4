// The blocks that the replication manager decides on: those of complete files that were read at some time, or
// have more or fewer replicas than their writers asked for; and the bytes that all blocks take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "catalog/state/state.hpp"

namespace proffer::catalog {

struct HotBlock {
  BlockId block;
  std::uint64_t length = 0;
  std::uint32_t replication = 1;
  /// Agents that count and hold the block, and whose report is so old that no deletion can be under way.
  std::set<AgentId> settled;
  HeatTable::Heat heat;
  std::size_t there = 0;  ///< replicas that take up space and are meant to stay, copies under way among them
  std::size_t live = 0;   ///< replicas on agents that count
  /// The live replicas that are missing, copies under way counted as live; none: the block has all that were
  /// asked for, or as many as there are agents.
  std::optional<std::size_t> lacks = {};

  /// Returns whether one replica can go and as many stay as the writer asked for.
  bool has_spare() const { return settled.size() > replication; }
};

struct HotBlocks {
  std::map<BlockId, HotBlock> blocks;
  std::size_t count = 0;    ///< all blocks of complete files, in demand or not
  std::uint64_t base = 0;   ///< bytes of as many replicas as were asked for
  std::uint64_t extra = 0;  ///< bytes of replicas beyond those, copies under way included
};

HotBlocks look_at_blocks(const State& state, Time now);

}  // namespace proffer::catalog
