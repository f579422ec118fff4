// The secrets with which agents come back under their ids. Its invariant: it knows the agents in session, and
// at most limits::kAgents others, those whose sessions ended last.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "proffer/ids.hpp"
#include "proffer/secret_source.hpp"

namespace proffer::catalog {

class AgentSecrets {
 public:
  std::optional<Secret> find(AgentId agent) const;
  /// Notes that the agent has a session. One that is not known keeps the secret that it shows, or gets one.
  void session_opened(AgentId agent, Secret shown, SecretSource& secrets);
  /// Aborts when the agent has no session.
  void session_closed(AgentId agent);

 private:
  struct Known {
    Secret secret;
    std::uint64_t closed = 0;  ///< the key in gone_ of the end of its session; 0: it is in session
  };
  std::map<AgentId, Known> known_;
  std::map<std::uint64_t, AgentId> gone_;  ///< sorted by the order in which their sessions ended
  std::uint64_t closings_ = 0;
};

}  // namespace proffer::catalog
