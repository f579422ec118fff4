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

namespace proffer {

class BlockStore {
 public:
  using Blocks = std::vector<std::pair<BlockId, std::uint64_t>>;

  explicit BlockStore(Blocks blocks) : blocks_(blocks.begin(), blocks.end()) {}

  /// Nothing to tell when the disk was known to hold it in that length.
  void stored(BlockId block, std::uint64_t length);
  void vanished(BlockId block);
  bool holds(BlockId block) const { return blocks_.contains(block); }
  /// The catalog believes that we hold it; it is to be told otherwise.
  void deny(BlockId block);

  /// From the first page on; changes count from 1 again. What was yet to be told is told all the same: it is
  /// part of this report, but if this one repeats another, it may be the other that opens the session.
  void begin_report();
  bool reporting() const { return next_.has_value(); }
  /// At most `most` blocks of the report; aborts unless reporting(). Sets page, last and blocks only.
  BlockReport next_page(std::size_t most);
  /// Changes that were not told yet, at most `most` of them.
  std::optional<BlocksChanged> take_changes(std::size_t most);

 private:
  std::map<BlockId, std::uint64_t> blocks_;
  std::map<BlockId, std::optional<std::uint64_t>> untold_;  // the new length; none: it is not here
  std::optional<BlockId> next_;                             // where the next page of the report begins
  std::uint32_t page_ = 0;
  std::uint64_t number_ = 0;  // of the newest change told
};

}  // namespace proffer
