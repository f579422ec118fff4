// The servers that this agent belongs to, over its restarts as well. Its invariant: the epoch of a server
// never falls while its cluster stays.
#pragma once

#include <optional>

#include "proffer/kept.hpp"
#include "proffer/result.hpp"
#include "proffer/session/client_session.hpp"

namespace proffer::agent {

class KeptServers {
 public:
  /// Notes what was kept. Aborts when a server of that role is known.
  void restore(const KeptServer& server);
  /// Returns why a server that welcomes this agent must not be believed; none: it may be.
  std::optional<Error> refuse(const KeptServer& server) const;
  /// Notes a server that has welcomed this agent. Returns whether that is news, which must be kept.
  bool learn(const KeptServer& server);
  void forget(ServerRole role) { of(role).reset(); }
  const std::optional<KeptServer>& find(ServerRole role) const;

  /// Has a new session know what this agent knows of its server.
  void teach(ServerRole role, session::ClientSession& session) const;

 private:
  std::optional<KeptServer>& of(ServerRole role) {
    return role == ServerRole::allocator ? allocator_ : catalog_;
  }

  std::optional<KeptServer> allocator_;
  std::optional<KeptServer> catalog_;
};

}  // namespace proffer::agent
