#include "agent/block_store.hpp"

#include "proffer/check.hpp"

namespace proffer::agent {

void BlockStore::stored(BlockId block, std::uint64_t length) {
  const auto [place, is_new] = blocks_.try_emplace(block, length);
  if (!is_new && place->second == length) return;
  place->second = length;
  untold_[block] = length;
}

void BlockStore::vanished(BlockId block) {
  if (blocks_.erase(block) != 0) untold_[block] = std::nullopt;
}

void BlockStore::deny(BlockId block) {
  PROFFER_CHECK(!holds(block), "a block on disk was denied");
  untold_[block] = std::nullopt;
}

void BlockStore::begin_report() {
  next_ = BlockId{};
  page_ = 0;
  number_ = 0;
}

BlockReport BlockStore::next_page(std::size_t most) {
  PROFFER_CHECK(reporting(), "a page of a report that was not begun");
  BlockReport report;
  report.page = page_++;
  auto block = blocks_.lower_bound(*next_);
  for (; block != blocks_.end() && report.blocks.size() < most; ++block) report.blocks.push_back(*block);
  report.last = block == blocks_.end();
  next_ = report.last ? std::nullopt : std::optional(block->first);
  return report;
}

std::optional<BlocksChanged> BlockStore::take_changes(std::size_t most) {
  if (untold_.empty()) return {};
  BlocksChanged changed{++number_, {}, {}};
  for (std::size_t n = 0; n < most && !untold_.empty(); ++n) {
    const auto [block, length] = *untold_.begin();
    untold_.erase(untold_.begin());
    if (length) {
      changed.added.emplace_back(block, *length);
    } else {
      changed.removed.push_back(block);
    }
  }
  return changed;
}

}  // namespace proffer::agent
