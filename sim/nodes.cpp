#include "sim/nodes.hpp"

namespace proffer::sim {

std::optional<AgentNo> Nodes::find(AgentId id) const {
  const auto at = numbers_.find(id);
  return at == numbers_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<AgentNo> Nodes::source_of(BlockId block, const std::vector<Replica>& replicas) const {
  for (const auto& replica : replicas) {
    const auto agent = find(replica.agent);
    if (!agent || down_[*agent] || dropped_.contains({*agent, block})) continue;
    return agent;
  }
  return {};
}

}  // namespace proffer::sim
