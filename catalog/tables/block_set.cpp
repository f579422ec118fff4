#include "catalog/tables/block_set.hpp"

#include <iterator>

namespace proffer::catalog {

void BlockSet::add(BlockId block) {
  auto next = runs_.upper_bound(block);
  if (next != runs_.begin()) {
    const auto before = std::prev(next);
    if (block <= before->second) return;
    if (before->second.value + 1 == block.value) {
      before->second = block;
      if (next == runs_.end() || next->first.value != block.value + 1) return;
      before->second = next->second;
      runs_.erase(next);
      return;
    }
  }
  auto last = block;
  if (next != runs_.end() && next->first.value == block.value + 1) {
    last = next->second;
    runs_.erase(next);
  }
  runs_.emplace(block, last);
}

bool BlockSet::has(BlockId block) const {
  const auto next = runs_.upper_bound(block);
  return next != runs_.begin() && block <= std::prev(next)->second;
}

}  // namespace proffer::catalog
