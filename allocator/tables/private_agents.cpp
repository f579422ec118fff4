#include "allocator/tables/private_agents.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::allocator {

PrivateAgents::PrivateAgents(const Eligibility& eligibility) {
  for (const auto& [number, lease] : eligibility.leases())
    leases_[number] = {lease.agents, std::max<Duration>(lease.return_after, std::chrono::milliseconds(1))};
}

void PrivateAgents::renumber(const std::map<std::size_t, std::size_t>& kept, const Eligibility& next) {
  PrivateAgents renumbered(next);
  for (auto& [number, lease] : leases_) {
    const auto to = kept.find(number);
    if (to == kept.end()) continue;
    for (const auto agent : lease.agents) renumbered.owners_[agent] = to->second;
    auto& now = renumbered.leases_.at(to->second);
    now.agents = std::move(lease.agents);
    now.asked = lease.asked;
    now.idle = lease.idle;
  }
  *this = std::move(renumbered);
}

std::optional<std::size_t> PrivateAgents::owner(AgentIndex agent) const {
  const auto at = owners_.find(agent);
  return at == owners_.end() ? std::nullopt : std::optional(at->second);
}

void PrivateAgents::assign(std::size_t to, AgentIndex agent) {
  const bool is_free = owners_.emplace(agent, to).second;
  PROFFER_CHECK(is_free, "an agent that is somebody's alone was given to another");
  leases_.at(to).agents.insert(agent);
}

void PrivateAgents::release(AgentIndex agent) {
  const auto at = owners_.find(agent);
  if (at == owners_.end()) return;
  leases_.at(at->second).agents.erase(agent);
  owners_.erase(at);
}

std::vector<bool> PrivateAgents::admits(AgentIndex agent, std::vector<bool> by_rule) const {
  const auto whose = owner(agent);
  for (std::size_t i = 0; i < by_rule.size(); ++i) {
    const bool is_private = leases_.contains(i);
    if (whose ? *whose != i : is_private) by_rule[i] = false;
  }
  return by_rule;
}

std::optional<Time> PrivateAgents::next_return() const {
  std::optional<Time> next;
  for (const auto& [number, lease] : leases_) {
    if (lease.idle) next = earlier(next, *lease.idle + lease.return_after);
  }
  return next;
}

}  // namespace proffer::allocator
