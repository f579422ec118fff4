// Which agent holds which block. Its invariant: the view by block and the view by agent agree.
//
// Beside what agents hold it keeps what they will hold soon (planned: allocated, not yet reported), so that a
// burst of new blocks spreads and a new file can be read at once, and what they should delete (condemned),
// until they say that it is gone.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer {

class ReplicaTable {
 public:
  using Blocks = std::map<BlockId, std::uint64_t>;   // with lengths in bytes
  using Holders = std::map<AgentId, std::uint64_t>;  // with the lengths of their replicas

  /// Everything the agent holds, in place of what was known of it.
  void replace(AgentId agent, Blocks blocks);
  void add(AgentId agent, BlockId block, std::uint64_t length);
  void remove(AgentId agent, BlockId block);
  /// The agent is gone, with all that it holds or should do.
  void forget(AgentId agent);

  /// A replica is on its way to the agent.
  void plan(AgentId agent, BlockId block);
  /// Nothing more is on its way for this block.
  void unplan(BlockId block);
  /// What is on its way for this block must be reported by then, or it has failed.
  void expect_by(Time deadline, BlockId block);
  /// Forgets plans that have failed; whether there were any.
  bool expire_plans(Time now);
  /// The agent should delete its replica. No effect unless it holds one.
  void condemn(AgentId agent, BlockId block);

  const Blocks& held_by(AgentId agent) const;
  const Holders& holders_of(BlockId block) const;
  const std::set<AgentId>& planned_for(BlockId block) const;
  const std::set<BlockId>& condemned_at(AgentId agent) const;
  /// Blocks it holds or will hold soon.
  std::uint64_t load_of(AgentId agent) const;

  void check_invariants() const;

 private:
  struct Shelf {
    Blocks held;
    std::set<BlockId> planned;
    std::set<BlockId> condemned;
  };
  const Shelf& shelf_of(AgentId agent) const;

  std::map<AgentId, Shelf> shelves_;
  std::map<BlockId, Holders> holders_;
  std::map<BlockId, std::set<AgentId>> planned_;
  std::multimap<Time, BlockId> expected_;
};

}  // namespace proffer
