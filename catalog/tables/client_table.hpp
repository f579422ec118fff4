// Sessions of clients: frameworks, workers, the commands of the store. Its invariant: a connection has one at
// most.
#pragma once

#include <map>

#include "proffer/ids.hpp"
#include "proffer/session/server_session.hpp"

namespace proffer::catalog {

class ClientTable {
 public:
  /// Returns the session that the connection has, which is `fresh` if it had none.
  SessionId open(PeerId peer, SessionId fresh, Time now) {
    return sessions_.try_emplace(peer, peer, fresh, now).first->second.id();
  }
  void close(PeerId peer) { sessions_.erase(peer); }
  /// Returns whether the connection has that session; clients send 0 before they know its number.
  bool match(PeerId peer, SessionId session) const {
    const auto found = sessions_.find(peer);
    return found != sessions_.end() && found->second.matches_early(peer, session);
  }
  const std::map<PeerId, session::ServerSession>& all() const { return sessions_; }

 private:
  std::map<PeerId, session::ServerSession> sessions_;
};

}  // namespace proffer::catalog
