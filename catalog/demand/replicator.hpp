// The replication manager at one moment: which copies are to be made, and which replicas may go. However it
// is decided, as many replicas stay as the file's writer asked for, and what is beyond them, copies under way
// included, never grows past the cap, other than by replicas in place of some that come back after all.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "catalog/demand/hot_blocks.hpp"
#include "catalog/demand/node_heat.hpp"
#include "catalog/state/deletions.hpp"
#include "catalog/state/turn.hpp"

namespace proffer::catalog {

class Replicator {
 public:
  /// The reason for a copy in place of a replica that was lost.
  static constexpr const char* kRestored = "too few are left";

  explicit Replicator(const Turn& turn);

  /// Runs DSBRA once, over factors that are up to date (dsbra_round.cpp).
  void run_dsbra();
  /// Copies blocks to where they were read from elsewhere, the most popular first (dare_round.cpp).
  void run_dare();
  /// Copies blocks that have lacked replicas for long; with fixed replication, drops replicas that are too
  /// many (restore_round.cpp).
  void restore();
  /// Drops the least wanted replicas while there is more than the cap allows.
  void keep_the_cap();
  /// Copies the block to another agent, after a copy that has failed.
  void try_elsewhere(BlockId block, const CopyTable::Copy& failed);
  /// Tells agents of deletions, and traces the bytes stored. To be called last.
  void finish();

 private:
  struct Why {
    std::int64_t factor = 0;
    std::int64_t mean = 0;
    const char* text = "";
  };
  bool over_cap(std::uint64_t more) const;
  bool fits(const HotBlock& block, AgentId agent) const;
  void copy(HotBlock& block, AgentId to, Why why, std::set<AgentId> failed = {});
  void drop(HotBlock& block, AgentId agent, Why why);
  /// Returns the agent from which a replica goes: the hottest of those that hold one. None: none may go.
  std::optional<AgentId> place_to_drop(const HotBlock& block) const;
  dsbra::Millionths mean_factor() const;
  void drop_cold(dsbra::Millionths mean);
  void copy_hot(dsbra::Millionths mean);
  std::vector<HotBlock*> least_popular_last();
  void drop_surplus();
  bool make_room(const HotBlock& newcomer, std::vector<HotBlock*>& droppable);

  const Turn& turn_;
  State& state_;
  Deletions deletions_;
  HotBlocks seen_;
  NodeHeat nodes_;
};

}  // namespace proffer::catalog
