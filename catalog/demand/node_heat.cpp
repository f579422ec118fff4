#include "catalog/demand/node_heat.hpp"

#include <tuple>

namespace proffer::catalog {

NodeHeat::NodeHeat(const State& state) {
  for (const auto& [id, agent] : state.agents.all()) {
    if (agent.counts()) nodes_[id].blocks = static_cast<std::int64_t>(state.replicas.load_of(id));
  }
  for (const auto& [block, heat] : state.heat.all()) {
    for (const auto& [agent, length] : state.replicas.holders_of(block)) {
      if (const auto node = nodes_.find(agent); node != nodes_.end()) node->second.sum += heat.factor;
    }
  }
  for (const auto& [key, copy] : state.copies.all()) {
    if (nodes_.contains(key.second)) add(key.second, state.heat.of(key.first).factor);
  }
}

void NodeHeat::add(AgentId agent, dsbra::Millionths factor) {
  auto& node = nodes_[agent];
  node.sum += factor;
  ++node.blocks;
}

void NodeHeat::remove(AgentId agent, dsbra::Millionths factor) {
  auto& node = nodes_[agent];
  node.sum -= factor;
  --node.blocks;
}

std::optional<AgentId> NodeHeat::best(const Fits& fits, int sign) const {
  std::optional<AgentId> best;
  std::tuple<dsbra::Millionths, std::int64_t> least;
  for (const auto& [agent, node] : nodes_) {
    const std::tuple key(sign * node.mean(), node.blocks);
    if ((best && key >= least) || !fits(agent)) continue;
    best = agent;
    least = key;
  }
  return best;
}

}  // namespace proffer::catalog
