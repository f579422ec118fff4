// Blocks that the catalog wants copied to this agent: a few are fetched at a time, the others wait. Its
// invariant: a block is here at most once.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>

#include "proffer/messages/catalog.hpp"

namespace proffer {

class BlockCopies {
 public:
  bool has(BlockId block) const;
  bool full() const;
  /// Aborts when it is here, or there is no room.
  void add(CopyBlock copy);
  /// The next to be fetched; none while enough are.
  std::optional<CopyBlock> take_next();
  /// It was fetched, or was not; nothing when it is none of these.
  bool ended(BlockId block) { return fetched_.erase(block) != 0; }
  /// Those that wait need not be fetched any more: the catalog that wanted them has forgotten it.
  void drop_waiting() { waiting_.clear(); }
  void drop_waiting(BlockId block);
  void check_invariants() const;

 private:
  std::deque<CopyBlock> waiting_;
  std::set<BlockId> fetched_;
};

}  // namespace proffer
