// The replication manager at one moment: which copies are to be made, and which replicas may go. However it
// is decided, as many replicas stay as the file's writer asked for, and what is beyond them, copies under way
// included, never grows past the cap, other than by replicas in place of some that come back after all.
#pragma once

#include <vector>

#include "catalog/demand/hot_blocks.hpp"
#include "catalog/demand/node_heat.hpp"
#include "catalog/state/deletions.hpp"
#include "catalog/state/outbox.hpp"

namespace proffer {

class Replicator {
 public:
  /// Of a copy in place of a replica that was lost.
  static constexpr const char* kRestored = "too few are left";

  Replicator(CatalogState& state, Outbox& out, Time now);

  /// One run of DSBRA over factors that are up to date (dsbra_round.cpp).
  void run_dsbra();
  /// Copies for what was read from elsewhere, the most popular first (dare_round.cpp).
  void run_dare();
  /// Copies of blocks that have lacked some for long; with fixed replication, drops what is too many
  /// (restore_round.cpp).
  void restore();
  /// Drops the least wanted replicas while there is more than the cap allows.
  void keep_the_cap();
  /// A copy to one agent has come to nothing; another may do.
  void try_elsewhere(BlockId block, const CopyTable::Copy& failed);
  /// Tells agents of deletions, and counts the storage. To be called last.
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
  /// Where it goes from: the most heated of its places.
  std::optional<AgentId> place_to_drop(const HotBlock& block) const;
  dsbra::Millionths mean_factor() const;
  void drop_cold(dsbra::Millionths mean);
  void copy_hot(dsbra::Millionths mean);
  std::vector<HotBlock*> least_popular_last();
  void drop_surplus();
  bool make_room(const HotBlock& newcomer, std::vector<HotBlock*>& droppable);

  CatalogState& state_;
  Outbox& out_;
  Time now_;
  Deletions deletions_;
  HotBlocks seen_;
  NodeHeat nodes_;
};

/// An interval is over: forgets who is silent, works out how blocks are in demand, and acts on it.
void replication_round(CatalogState& state, Outbox& out, Time now);
/// A look at all blocks, for replicas that are missing.
void restore_round(CatalogState& state, Outbox& out, Time now);

}  // namespace proffer
