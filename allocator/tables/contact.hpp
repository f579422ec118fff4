// The connection of an agent or a framework, and the signs of life that come through it.
#pragma once

#include <optional>

#include "proffer/machine.hpp"
#include "proffer/session/server_session.hpp"

namespace proffer::allocator {

/// Invariant: while there is a session, the peer table names the record as the speaker of its peer.
struct Contact {
  std::optional<session::ServerSession> session;  ///< none: the peer has to say hello again
  Time heard;                            ///< the newest sign of life, in this session or a former one
  std::optional<Time> check_silence_at;  ///< the time to judge its silence next; see liveness.hpp
  // Of a framework; see pace.hpp.
  PeerId lagging;  ///< the connection that `lag` is about, which may outlive a session
  Lag lag = Lag::none;
  std::optional<Time> full_since;  ///< set exactly while `lag` is full
  bool mute = false;               ///< silent, though not for so long that its session is over

  bool speaks_through(PeerId peer) const { return session && session->peer() == peer; }
  /// Opens a session, which is a sign of life.
  void open(PeerId peer, SessionId id, Time now) {
    session.emplace(peer, id, now);
    heard = now;
    mute = false;
    if (peer != lagging) note_lag(peer, Lag::none, now);
  }
  void note_lag(PeerId peer, Lag now_is, Time now) {
    lagging = peer;
    lag = now_is;
    if (lag != Lag::full) full_since.reset();
    if (lag == Lag::full && !full_since) full_since = now;
  }
  /// Returns whether a framework gets no offers, since it does not keep up.
  bool held_back() const { return session && (mute || lag != Lag::none); }
  /// Notes a message of the session.
  void note_sign_of_life(Time now) {
    session->heard(now);
    heard = now;
  }
};

}  // namespace proffer::allocator
