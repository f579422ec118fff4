#include "frameworks/mapreduce/block_readers.hpp"

#include <algorithm>

namespace proffer::mapreduce {

std::span<const BlockReaders::Reader> BlockReaders::of(BlockId block, const std::vector<MapInput>& inputs) {
  if (readers_.empty()) {
    for (std::uint32_t index = 0; index < inputs.size(); ++index) {
      for (const auto& one : inputs[index].blocks) readers_.emplace_back(one.block, index);
    }
    std::sort(readers_.begin(), readers_.end());
    readers_.erase(std::unique(readers_.begin(), readers_.end()), readers_.end());
  }
  const auto first = std::lower_bound(readers_.begin(), readers_.end(), Reader{block, 0});
  auto last = first;
  while (last != readers_.end() && last->first == block) ++last;
  return {first, last};
}

}  // namespace proffer::mapreduce
