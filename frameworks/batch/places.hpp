// Preferred agents and racks, named by people, as ids: an agent's id is learned when it is first offered.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "proffer/topology.hpp"

namespace proffer::batch {

class Places {
 public:
  Places(const std::vector<std::string>& agents, const std::vector<std::string>& racks);

  /// Notes an agent. True when it is a preferred one that was not known yet.
  bool learn(const AgentInfo& agent);
  /// The agents that tasks prefer, as far as they are known. While none is: an id that no agent has, so that
  /// tasks wait for their place rather than take any.
  std::vector<AgentId> nodes() const;
  /// The racks of preferred agents.
  std::vector<std::string> racks() const { return {near_.begin(), near_.end()}; }

 private:
  std::set<std::string> agents_;
  std::set<std::string> racks_;
  std::set<AgentId> known_;
  std::set<std::string> near_;
};

}  // namespace proffer::batch
