// The index of the blocks on this agent's disk, and what the catalog has yet to be told of them: a full
// report in pages, then numbered changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "proffer/messages/catalog.hpp"

namespace proffer::agent {

class BlockStore {
 public:
  using Blocks = std::vector<std::pair<BlockId, std::uint64_t>>;

  explicit BlockStore(Blocks blocks) : blocks_(blocks.begin(), blocks.end()) {}

  /// Notes a block on disk. Nothing is to be told when it was known in that length.
  void stored(BlockId block, std::uint64_t length);
  void vanished(BlockId block);
  bool holds(BlockId block) const { return blocks_.contains(block); }
  /// Has the catalog told that a block is not here, which it believes to be. Aborts if it is.
  void deny(BlockId block);

  /// Begins a report with its first page; changes count from 1 again. Changes that were yet to be told are
  /// told all the same: they are part of this report, but if it repeats another, the other may open the
  /// session.
  void begin_report();
  bool reporting() const { return next_.has_value(); }
  /// Returns at most `most` blocks of the report, with page, last and blocks set only. Aborts unless
  /// reporting().
  BlockReport next_page(std::size_t most);
  /// Returns changes that were not told yet, at most `most` of them; none: all were.
  std::optional<BlocksChanged> take_changes(std::size_t most);

 private:
  std::map<BlockId, std::uint64_t> blocks_;
  std::map<BlockId, std::optional<std::uint64_t>> untold_;  // the new length; none: it is not here
  std::optional<BlockId> next_;                             // where the next page of the report begins
  std::uint32_t page_ = 0;
  std::uint64_t number_ = 0;  // of the newest change told
};

}  // namespace proffer::agent
