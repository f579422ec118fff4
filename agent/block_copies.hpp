// Blocks that the catalog wants copied to this agent: a few are fetched at a time, the others wait. Its
// invariant: a block is here at most once.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>

#include "proffer/messages/catalog.hpp"

namespace proffer::agent {

class BlockCopies {
 public:
  bool has(BlockId block) const;
  bool full() const;
  /// Aborts when the block is here, or there is no room.
  void add(CopyBlock copy);
  /// Returns the next to be fetched; none while enough are.
  std::optional<CopyBlock> take_next();
  /// Ends a fetch, whatever came of it. Returns false when the block was not being fetched.
  bool ended(BlockId block) { return fetched_.erase(block) != 0; }
  /// Forgets blocks that wait: the catalog that wanted them does not want them any more.
  void drop_waiting() { waiting_.clear(); }
  void drop_waiting(BlockId block);
  void check_invariants() const;

 private:
  std::deque<CopyBlock> waiting_;
  std::set<BlockId> fetched_;
};

}  // namespace proffer::agent
