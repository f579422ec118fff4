// The secrets with which agents come back under their ids. Its invariant: the agents in session, and at most
// limits::kAgents others, those that left last.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "proffer/ids.hpp"
#include "proffer/secret_source.hpp"

namespace proffer {

class AgentSecrets {
 public:
  std::optional<Secret> find(AgentId agent) const;
  /// It opens a session. One that is not known keeps the secret that it shows, or gets one.
  void came(AgentId agent, Secret shown, SecretSource& secrets);
  /// Its session has ended.
  void left(AgentId agent);

 private:
  struct Known {
    Secret secret;
    std::uint64_t left = 0;  // 0: it is in session
  };
  std::map<AgentId, Known> known_;
  std::map<std::uint64_t, AgentId> gone_;  // by when they left
  std::uint64_t leavings_ = 0;
};

}  // namespace proffer
