// Preferred agents and racks, named by people, as ids: an agent's id is learned when it is first offered.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "proffer/topology.hpp"

namespace proffer {

class Places {
 public:
  Places(const std::vector<std::string>& agents, const std::vector<std::string>& racks);

  /// True when this agent is a preferred one that was not known yet.
  bool learn(const AgentInfo& agent);
  /// What tasks prefer, as far as it is known. While nothing of it is: an id that no agent has, so that tasks
  /// wait for their place rather than take any.
  std::vector<AgentId> nodes() const;
  /// The racks of preferred agents.
  std::vector<std::string> racks() const { return {near_.begin(), near_.end()}; }

 private:
  std::set<std::string> agents_;
  std::set<std::string> racks_;
  std::set<AgentId> known_;
  std::set<std::string> near_;
};

}  // namespace proffer
