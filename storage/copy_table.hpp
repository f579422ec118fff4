// Copies of blocks that are under way between agents. Its invariants: an agent copies a block once at a time,
// and the bytes under way are the sum over the copies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer {

class CopyTable {
 public:
  struct Copy {
    std::uint64_t length = 0;
    Time deadline;
    std::set<AgentId> failed;  // targets that were tried before
  };
  using Key = std::pair<BlockId, AgentId>;  // block and target

  /// Aborts when that copy is under way.
  void open(BlockId block, AgentId target, Copy copy);
  /// None when there is none under way.
  std::optional<Copy> close(BlockId block, AgentId target);
  /// Those to an agent, of a block, or whose deadline has come; taken out.
  std::vector<std::pair<Key, Copy>> close_to(AgentId target);
  std::vector<std::pair<Key, Copy>> close_of(BlockId block);
  std::vector<std::pair<Key, Copy>> close_overdue(Time now);

  bool has(BlockId block, AgentId target) const { return copies_.contains({block, target}); }
  std::set<AgentId> targets(BlockId block) const;
  /// How many are under way to it.
  std::size_t load_of(AgentId target) const;
  std::uint64_t bytes() const { return bytes_; }
  const std::map<Key, Copy>& all() const { return copies_; }
  std::optional<Time> next_deadline() const;
  void check_invariants() const;

 private:
  template <class Which>
  std::vector<std::pair<Key, Copy>> close_if(Which&& which);

  std::map<Key, Copy> copies_;
  std::map<AgentId, std::size_t> loads_;
  std::uint64_t bytes_ = 0;
};

}  // namespace proffer
