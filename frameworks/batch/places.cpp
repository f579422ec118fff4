#include "frameworks/batch/places.hpp"

namespace proffer::batch {

Places::Places(const std::vector<std::string>& agents, const std::vector<std::string>& racks)
    : agents_(agents.begin(), agents.end()), racks_(racks.begin(), racks.end()) {}

bool Places::learn(const AgentInfo& agent) {
  if (!agents_.contains(agent.name) && !racks_.contains(agent.rack)) return false;
  near_.insert(agent.rack);
  return known_.insert(agent.id).second;
}

std::vector<AgentId> Places::nodes() const {
  if (!known_.empty()) return {known_.begin(), known_.end()};
  if (agents_.empty() && racks_.empty()) return {};
  return {AgentId{}};
}

}  // namespace proffer::batch
