// The agents that hold each block. Its invariant: the view by block and the view by agent agree.
//
// The table keeps more than the blocks that agents hold: those that they will hold soon (planned: allocated,
// not yet reported), so that a burst of new blocks spreads and a new file can be read at once, and those that
// they should delete (condemned), until they say that these are gone.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::catalog {

class ReplicaTable {
 public:
  using Blocks = std::map<BlockId, std::uint64_t>;   ///< the length of each block in bytes
  using Holders = std::map<AgentId, std::uint64_t>;  ///< the length of each agent's replica in bytes

  /// Sets the blocks that the agent holds, in place of all that was known of it.
  void replace(AgentId agent, Blocks blocks);
  void add(AgentId agent, BlockId block, std::uint64_t length);
  void remove(AgentId agent, BlockId block);
  /// Forgets the agent, with all that it holds or should do.
  void forget(AgentId agent);

  /// Notes that a replica is on its way to the agent.
  void plan(AgentId agent, BlockId block);
  /// Forgets all that is on its way for this block.
  void unplan(BlockId block);
  /// Sets a time by which replicas on their way for this block must be reported, or they have failed.
  void expect_by(Time deadline, BlockId block);
  /// Forgets plans that have failed, and returns whether there were any.
  bool expire_plans(Time now);
  /// Notes that the agent should delete its replica. No effect unless it holds one.
  void condemn(AgentId agent, BlockId block);

  const Blocks& held_by(AgentId agent) const;
  const Holders& holders_of(BlockId block) const;
  const std::set<AgentId>& planned_for(BlockId block) const;
  const std::set<BlockId>& condemned_at(AgentId agent) const;
  /// Returns how many blocks the agent holds or will hold soon.
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

}  // namespace proffer::catalog
