#include "sim/nodes.hpp"

namespace proffer::sim {

Nodes::Nodes(const std::vector<study::PlanNode>& nodes)
    : ids_(nodes.size()), down_(nodes.size()), slowness_milli_(nodes.size(), kMilli) {
  for (const auto& node : nodes) {
    speed_milli_.push_back(node.speed_milli);
    parts_.push_back({node.rack});
    rack_cuts_[node.rack] = 0;
  }
}

std::optional<AgentNo> Nodes::find(AgentId id) const {
  const auto at = numbers_.find(id);
  return at == numbers_.end() ? std::nullopt : std::optional(at->second);
}

void Nodes::cut_node(AgentNo agent, int by) {
  any_cut_ = true;
  parts_[agent].cuts += by;
}

std::vector<AgentNo> Nodes::cut_rack(const std::string& rack, int by) {
  any_cut_ = true;
  rack_cuts_.at(rack) += by;
  std::vector<AgentNo> members;
  for (AgentNo agent = 0; agent < parts_.size(); ++agent) {
    if (parts_[agent].rack == rack) members.push_back(agent);
  }
  return members;
}

bool Nodes::reaches(AgentNo from, AgentNo to) const {
  if (down_[from] || down_[to]) return false;
  if (from == to || !any_cut_) return true;
  const auto& one = parts_[from];
  const auto& other = parts_[to];
  if (one.cuts > 0 || other.cuts > 0) return false;
  return one.rack == other.rack || (rack_cuts_.at(one.rack) == 0 && rack_cuts_.at(other.rack) == 0);
}

std::optional<AgentNo> Nodes::source_of(AgentNo reader, BlockId block,
                                        const std::vector<Replica>& replicas) const {
  for (const auto& replica : replicas) {
    const auto agent = find(replica.agent);
    if (!agent || !reaches(reader, *agent) || dropped_.contains({*agent, block})) continue;
    return agent;
  }
  return {};
}

}  // namespace proffer::sim
