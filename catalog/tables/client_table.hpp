// Sessions of clients: frameworks, workers, the commands of the store. Its invariant: a connection has one at
// most.
#pragma once

#include <map>

#include "proffer/ids.hpp"

namespace proffer {

class ClientTable {
 public:
  /// The session of that connection: `fresh`, or the one that it has.
  SessionId open(PeerId peer, SessionId fresh) { return sessions_.try_emplace(peer, fresh).first->second; }
  void close(PeerId peer) { sessions_.erase(peer); }
  /// Whether that connection has that session; 0 is said before its number is known.
  bool match(PeerId peer, SessionId said) const {
    const auto found = sessions_.find(peer);
    return found != sessions_.end() && (said == SessionId{} || said == found->second);
  }

 private:
  std::map<PeerId, SessionId> sessions_;
};

}  // namespace proffer
