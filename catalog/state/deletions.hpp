// Replicas that nobody wants any more: condemned in the table, and told to the agents that hold them.
#pragma once

#include <map>
#include <vector>

#include "catalog/state/catalog_state.hpp"
#include "catalog/state/outbox.hpp"
#include "proffer/time.hpp"

namespace proffer {

class Deletions {
 public:
  explicit Deletions(CatalogState& state) : state_(state) {}

  /// Judges a replica that an agent says it holds. One of a block that belongs to no file is condemned, and
  /// so is one of the wrong length; one of a block that this catalog never gave out is left alone.
  void judge(AgentId agent, BlockId block, std::uint64_t length);
  /// Judges all replicas of a block, after its file has changed.
  void judge_all(BlockId block);
  /// The agent's replica is one too many.
  void drop(AgentId agent, BlockId block);
  /// Tells the agents; to be called once, when what came before it is durable.
  void tell(Outbox& out, Time now);

 private:
  CatalogState& state_;
  std::map<AgentId, std::vector<BlockId>> fresh_;
};

/// Tells an agent once more of all replicas that it should have deleted.
void tell_condemned(CatalogState& state, AgentRecord& agent, Outbox& out, Time now);

}  // namespace proffer
