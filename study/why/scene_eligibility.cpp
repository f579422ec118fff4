// The agents that frameworks of a pool may have: by racks and names, and by what is some pool's alone.
#include <algorithm>

#include "study/why/scene.hpp"

namespace proffer::study::why {
namespace {

std::string_view above(std::string_view pool) {
  const auto dot = pool.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : pool.substr(0, dot);
}

bool has(const std::vector<std::string>& names, const std::string& wanted) {
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

bool admits_by_rule(const PoolChanged& pool, const AgentAccount& agent) {
  if (pool.racks.empty() && pool.agents.empty()) return true;
  return has(pool.racks, agent.rack) || has(pool.agents, agent.name);
}

}  // namespace

/// Settings of the pool itself count, or else those of the next one above it that has any.
const PoolChanged* Scene::place_rule(std::string_view pool) const {
  for (auto name = pool;; name = above(name)) {
    const auto at = pools.find(std::string(name));
    if (at != pools.end()) {
      const auto& rule = at->second;
      if (!rule.racks.empty() || !rule.agents.empty() || rule.private_agents > 0) return &rule;
    }
    if (name.empty()) return nullptr;
  }
}

bool Scene::admits(const std::string& pool, const AgentAccount& agent) const {
  const auto* rule = place_rule(pool);
  const bool wants_own = rule != nullptr && rule->private_agents > 0;
  if (agent.leased_to ? rule == nullptr || rule->pool != *agent.leased_to : wants_own) return false;
  return admits_somewhen(pool, agent);
}

bool Scene::admits_somewhen(const std::string& pool, const AgentAccount& agent) const {
  for (const auto* rule = place_rule(pool); rule != nullptr;) {
    if (!admits_by_rule(*rule, agent)) return false;
    rule = rule->pool.empty() ? nullptr : place_rule(above(rule->pool));
  }
  return true;
}

}  // namespace proffer::study::why
