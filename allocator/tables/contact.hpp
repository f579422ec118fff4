// The connection of an agent or a framework, and the signs of life that come through it.
#pragma once

#include <optional>

#include "proffer/session/server_session.hpp"

namespace proffer::allocator {

/// Invariant: while there is a session, the peer table names the record as the speaker of its peer.
struct Contact {
  std::optional<session::ServerSession> session;  ///< none: the peer has to say hello again
  Time heard;                            ///< the newest sign of life, in this session or a former one
  std::optional<Time> check_silence_at;  ///< the time to judge its silence next; see liveness.hpp

  bool speaks_through(PeerId peer) const { return session && session->peer() == peer; }
  /// Opens a session, which is a sign of life.
  void open(PeerId peer, SessionId id, Time now) {
    session.emplace(peer, id, now);
    heard = now;
  }
  /// Notes a message of the session.
  void note_sign_of_life(Time now) {
    session->heard(now);
    heard = now;
  }
};

}  // namespace proffer::allocator
