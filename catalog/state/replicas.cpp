#include "catalog/state/replicas.hpp"

namespace proffer::catalog {

std::vector<Replica> live_replicas(const State& state, BlockId block, std::uint64_t length) {
  auto agents = state.replicas.planned_for(block);
  for (const auto& [id, held] : state.replicas.holders_of(block)) {
    if (held == length && !state.replicas.condemned_at(id).contains(block)) agents.insert(id);
  }
  std::vector<Replica> replicas;
  for (const auto id : agents) {
    const auto* agent = state.agents.find(id);
    if (agent && agent->counts()) replicas.push_back(agent->replica());
  }
  return replicas;
}

}  // namespace proffer::catalog
