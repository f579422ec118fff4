// Copies of blocks that are under way between agents. Its invariants: an agent copies a block once at a time,
// and the numbers and bytes under way are sums over the copies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::catalog {

class CopyTable {
 public:
  struct Copy {
    std::uint64_t length = 0;
    Time deadline;
    std::set<AgentId> failed;  ///< targets that were tried before
  };
  using Key = std::pair<BlockId, AgentId>;  ///< block and target
  using Closed = std::vector<std::pair<Key, Copy>>;

  /// Aborts when that copy is under way.
  void open(BlockId block, AgentId target, Copy copy);
  /// Takes a copy out; none when it is not under way.
  std::optional<Copy> close(BlockId block, AgentId target);
  /// Takes out the copies to an agent, of a block, or whose deadline has come, in order of their keys.
  Closed close_to(AgentId target);
  Closed close_of(BlockId block);
  Closed close_overdue(Time now);

  bool has(BlockId block, AgentId target) const { return copies_.contains({block, target}); }
  /// Returns how many copies of the block are under way.
  std::size_t count(BlockId block) const;
  /// Returns how many copies are under way to the agent.
  std::size_t load_of(AgentId target) const;
  std::uint64_t bytes() const { return bytes_; }
  const std::map<Key, Copy>& all() const { return copies_; }
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

 private:
  Closed close_all(const std::vector<Key>& keys);
  std::map<Key, Copy>::const_iterator first_of(BlockId block) const {
    return copies_.lower_bound({block, AgentId{}});
  }

  std::map<Key, Copy> copies_;
  std::set<std::pair<Time, Key>> by_deadline_;
  std::map<AgentId, std::size_t> loads_;
  std::uint64_t bytes_ = 0;
};

}  // namespace proffer::catalog
