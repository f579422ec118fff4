// The agents that a framework was ever offered, and those of them that are out of reach.
//
// Invariant: an agent that is gone has offered nothing since it went.
#pragma once

#include <map>
#include <set>

#include "proffer/ids.hpp"
#include "proffer/topology.hpp"

namespace proffer::mapreduce {

/// Agents as they were last offered, by id.
using Agents = std::map<AgentId, AgentInfo>;

class KnownAgents {
 public:
  /// Notes that the agent offers slots, so it is there.
  void offered(const AgentInfo& agent) {
    all_[agent.id] = agent;
    gone_.erase(agent.id);
  }
  /// Notes that the agent's tasks are out of reach or lost.
  void lost(AgentId agent) { gone_.insert(agent); }

  const Agents& all() const { return all_; }
  const std::set<AgentId>& gone() const { return gone_; }
  /// True when a task that does not suit one agent may find another.
  bool has_several() const { return all_.size() > 1; }

 private:
  Agents all_;
  std::set<AgentId> gone_;
};

}  // namespace proffer::mapreduce
