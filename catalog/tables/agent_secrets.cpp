#include "catalog/tables/agent_secrets.hpp"

#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::catalog {

std::optional<Secret> AgentSecrets::find(AgentId agent) const {
  const auto found = known_.find(agent);
  if (found == known_.end()) return {};
  return found->second.secret;
}

void AgentSecrets::session_opened(AgentId agent, Secret shown, SecretSource& secrets) {
  const auto [at, fresh] = known_.try_emplace(agent);
  auto& known = at->second;
  if (fresh) known.secret = shown.value.is_nil() ? secrets.secret() : shown;
  gone_.erase(known.closed);
  known.closed = 0;
}

void AgentSecrets::session_closed(AgentId agent) {
  const auto found = known_.find(agent);
  PROFFER_CHECK(found != known_.end() && found->second.closed == 0, "a session ends that was not opened");
  found->second.closed = ++closings_;
  gone_.emplace(closings_, agent);
  if (gone_.size() <= limits::kAgents) return;
  known_.erase(gone_.begin()->second);
  gone_.erase(gone_.begin());
}

}  // namespace proffer::catalog
