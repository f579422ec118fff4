// Blocks as runs of successive numbers: those of one file were mostly allocated one after the other.
#pragma once

#include <cstddef>
#include <map>

#include "proffer/ids.hpp"

namespace proffer::catalog {

class BlockSet {
 public:
  using Runs = std::map<BlockId, BlockId>;  ///< the last block of each run, keyed by its first

  void add(BlockId block);
  bool has(BlockId block) const;
  const Runs& runs() const { return runs_; }

 private:
  Runs runs_;
};

}  // namespace proffer::catalog
