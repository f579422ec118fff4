#include "catalog/tables/agent_table.hpp"

#include "proffer/check.hpp"

namespace proffer::catalog {

AgentRecord& AgentTable::open(AgentInfo info, PeerId peer, SessionId session, Time now) {
  const auto id = info.id;
  PROFFER_CHECK(by_peer_.emplace(peer, id).second, "the peer has an agent");
  const auto [place, fresh] =
      agents_.emplace(id, AgentRecord{std::move(info), session::ServerSession(peer, session, now)});
  PROFFER_CHECK(fresh, "the agent has a session");
  return place->second;
}

void AgentTable::close(AgentId agent) {
  const auto found = agents_.find(agent);
  PROFFER_CHECK(found != agents_.end(), "no such agent");
  by_peer_.erase(found->second.session.peer());
  agents_.erase(found);
}

AgentRecord* AgentTable::find(AgentId agent) {
  const auto found = agents_.find(agent);
  return found == agents_.end() ? nullptr : &found->second;
}

const AgentRecord* AgentTable::find(AgentId agent) const {
  const auto found = agents_.find(agent);
  return found == agents_.end() ? nullptr : &found->second;
}

AgentRecord* AgentTable::find_peer(PeerId peer) {
  const auto found = by_peer_.find(peer);
  return found == by_peer_.end() ? nullptr : find(found->second);
}

AgentRecord* AgentTable::match(PeerId peer, SessionId session) {
  auto* agent = find_peer(peer);
  return agent && agent->session.matches(peer, session) ? agent : nullptr;
}

void AgentTable::heard(AgentRecord& agent, Time now) {
  agent.session.heard(now);
  agent.silent = false;
}

std::vector<AgentId> AgentTable::fall_silent(Duration limit, Time now) {
  std::vector<AgentId> fallen;
  for (auto& [id, agent] : agents_) {
    if (agent.silent || agent.session.silent_for(now) < limit) continue;
    agent.silent = true;
    fallen.push_back(id);
  }
  return fallen;
}

void AgentTable::forgive(Duration gap) {
  for (auto& [id, agent] : agents_) agent.session.forgive(gap);
}

void AgentTable::check_invariants() const {
  PROFFER_CHECK(agents_.size() == by_peer_.size(), "agents and peers differ in number");
  for (const auto& [id, agent] : agents_) {
    const auto peer = by_peer_.find(agent.session.peer());
    PROFFER_CHECK(peer != by_peer_.end() && peer->second == id, "a peer does not know its agent");
    PROFFER_CHECK(agent.info.id == id, "a session without its agent");
    PROFFER_CHECK(agent.reported || agent.report || agent.ask_again, "a report that nobody waits for");
  }
}

}  // namespace proffer::catalog
