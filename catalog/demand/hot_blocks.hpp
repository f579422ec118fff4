// What the replication manager decides on: the blocks of complete files that were read at some time or have
// more or fewer replicas than their writers asked for, as they stand; and what the store takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "catalog/state/catalog_state.hpp"

namespace proffer {

struct HotBlock {
  BlockId block;
  std::uint64_t length = 0;
  std::uint32_t replication = 1;
  /// Agents that count and hold it, and whose word is so old that no deletion can be under way.
  std::set<AgentId> settled;
  HeatTable::Heat heat;
  std::size_t there = 0;  ///< replicas that take up space and are meant to stay, copies under way among them
  std::size_t live = 0;   ///< replicas on agents that count
  /// Of a block with too few of those, what is missing when copies under way are counted; none: it has all
  /// that was asked for, or as many as there are agents.
  std::optional<std::size_t> lacks = {};

  /// Whether one can go and as many stay as the writer asked for.
  bool has_spare() const { return settled.size() > replication; }
};

struct HotBlocks {
  std::map<BlockId, HotBlock> blocks;
  std::size_t count = 0;    ///< all blocks of complete files, in demand or not
  std::uint64_t base = 0;   ///< bytes with as many replicas as were asked for
  std::uint64_t extra = 0;  ///< bytes beyond, copies under way included
};

HotBlocks look_at_blocks(const CatalogState& state, Time now);

}  // namespace proffer
