// Which maps of a job read a block: put down when it is first asked for, since few catalogs move blocks.
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

  /// Of these inputs, one a map, which must be the same at each call: the maps that read it, in order.
  std::span<const Reader> of(BlockId block, const std::vector<MapInput>& inputs);

 private:
  std::vector<Reader> readers_;  // sorted
};

}  // namespace proffer::mapreduce
