// Replicas that nobody wants any more: condemned in the table, and sent to the agents that hold them.
#pragma once

#include <map>
#include <vector>

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

class Deletions {
 public:
  explicit Deletions(const Turn& turn) : turn_(turn) {}

  /// Judges a replica that an agent says it holds. One of a block that belongs to no file is condemned, and
  /// so is one of the wrong length; one of a block that this catalog never gave out is left alone.
  void judge(AgentId agent, BlockId block, std::uint64_t length);
  /// Judges all replicas of a block, after its file has changed.
  void judge_all(BlockId block);
  /// Condemns the agent's replica, which is one too many.
  void drop(AgentId agent, BlockId block);
  /// Sends the agents what was condemned; to be called once, when what came before it is durable.
  void send();

 private:
  const Turn& turn_;
  std::map<AgentId, std::vector<BlockId>> condemned_;
};

/// Sends an agent once more all replicas that it should have deleted.
void resend_deletions(const Turn& turn, AgentRecord& agent);

}  // namespace proffer::catalog
