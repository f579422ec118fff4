// A server's end of a session with one client (an agent, a framework): docs/PROTOCOL.md, "Sessions, epochs,
// numbers".
#pragma once

#include <cstdint>

#include "proffer/message.hpp"
#include "proffer/session/seq_window.hpp"
#include "proffer/time.hpp"

namespace proffer::session {

/// The cluster and the life of a server, as they stand in all that it sends.
struct ServerIdentity {
  /// The sender of an envelope, by its cluster and epoch, beside the server that the envelope has come to.
  enum class Origin : std::uint8_t {
    here,           ///< the same; or it names none, as in a first message
    other_cluster,  ///< the sender belongs to another cluster
    earlier_epoch,  ///< the sender does not know that this server has started again
    later_epoch,    ///< the sender knows a later start of this server
  };

  ClusterId cluster;
  Epoch epoch;

  Origin judge(const Envelope& arrival) const;
  /// Returns a message outside of sessions; `session` may name the one that it is about.
  Envelope wrap(Message message, SessionId session = {}) const;
};

/// One session: a connection that speaks for one client, from the answer to its hello until either end gives
/// it up. Its invariant: neither its id nor its peer ever changes.
class ServerSession {
 public:
  /// Opens a session; the client counts as heard. Aborts on session 0.
  ServerSession(PeerId peer, SessionId id, Time now);

  PeerId peer() const { return peer_; }
  SessionId id() const { return id_; }

  /// Returns whether a message that came over the connection `peer` and names the session `said` belongs to
  /// it.
  bool matches(PeerId peer, SessionId said) const { return peer == peer_ && said == id_; }
  /// The same for clients that may speak before the answer to their hello has come: `said` may be 0.
  bool matches_early(PeerId peer, SessionId said) const {
    return peer == peer_ && (said == id_ || said == SessionId{});
  }
  /// Returns whether a hello over that connection may be the one that opened this session, come again:
  /// nothing else has come since, so the client may not know the answer. It gets the same session.
  bool may_repeat_hello(PeerId peer) const { return peer == peer_ && !answered_; }

  /// Marks the number of a message of the session as seen; returns false when it was before, and must not
  /// take effect again. 0 is no number, and always new.
  bool take(std::uint64_t seq) { return received_.take(seq); }

  /// A message of the session has come, and with it a sign of life.
  void heard(Time now) {
    heard_at_ = now;
    answered_ = true;
  }
  /// Returns when the last sign of life came, moved on by forgive().
  Time heard_at() const { return heard_at_; }
  Duration silent_for(Time now) const { return now - heard_at_; }
  /// Silence for as long as `pause` does not count: the server itself did not run.
  void forgive(Duration pause) { heard_at_ += pause; }

  /// Returns `message` addressed and numbered, from 1.
  Envelope wrap(const ServerIdentity& server, Message message);

 private:
  PeerId peer_;
  SessionId id_;
  std::uint64_t sent_ = 0;  // messages
  SeqWindow received_;
  Time heard_at_;
  bool answered_ = false;  // anything has come in the session, so the client knows of it
};

}  // namespace proffer::session
