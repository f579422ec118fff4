// The maps of a job that read a block: put down when somebody first asks, since few catalogs move blocks.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "frameworks/mapreduce/input_plan.hpp"
#include "proffer/ids.hpp"

namespace proffer::mapreduce {

class BlockReaders {
 public:
  using Reader = std::pair<BlockId, std::uint32_t>;  // a block and the index of a map

  /// The maps that read a block, in order. `inputs`, one a map, must be the same blocks at each call.
  std::span<const Reader> of(BlockId block, const std::vector<MapInput>& inputs);

 private:
  std::vector<Reader> readers_;  // sorted
};

}  // namespace proffer::mapreduce
