// A client's end of a session with one server (the allocator, the catalog): docs/PROTOCOL.md, "Sessions,
// epochs, numbers".
#pragma once

#include <cstdint>
#include <optional>

#include "proffer/message.hpp"
#include "proffer/random.hpp"
#include "proffer/session/backoff.hpp"
#include "proffer/session/heartbeats.hpp"
#include "proffer/session/seq_window.hpp"
#include "proffer/time.hpp"

namespace proffer::session {

/// Returns whether the same hello may succeed later, after an answer with this error.
bool may_pass(ErrorCode code);

/// Attempts to open a session, which cluster and life of the server it is with, which arrivals belong to it,
/// and its heartbeats. Its invariant: a session is open exactly while its id is not zero.
///
/// A step of its owner calls woke() first; check() on each arrival, begin() on the answer to a hello, end()
/// when check(), silent() or the network says that the session is void; then sends a hello if attempt_due(),
/// or a heartbeat if beat_due().
class ClientSession {
 public:
  struct Settings {
    Duration retry_first = std::chrono::milliseconds(200);  ///< bound of the delay between hellos; doubles
    Duration retry_max = std::chrono::seconds(10);          ///< up to this
    Duration silent_after{};  ///< then the server is given up; three heartbeats at least
    /// An ERROR that names a former session is taken while no session is open.
    bool takes_late_errors = false;
  };
  enum class Verdict : std::uint8_t {
    take,
    drop,           ///< comes from another session or an earlier life of the server, or is a repeat
    restarted,      ///< the server has started anew: the session is void
    other_cluster,  ///< not the cluster that took us
  };

  explicit ClientSession(const Settings& settings);

  /// Takes up what a former life has learnt of the server: its cluster, and its newest epoch. Hellos name
  /// them, and nothing else is believed. To be called before the first step.
  void belong(ClusterId cluster, Epoch newest) {
    cluster_ = cluster;
    epoch_ = newest;
  }

  bool open() const { return id_.value != 0; }
  /// Returns the newest epoch of the server that is known; 0: none.
  Epoch epoch() const { return epoch_; }

  /// Notices a pause of our own; to be called first in every step. See Heartbeats::woke().
  Duration woke(Time now) { return heartbeats_.woke(now); }

  /// Says what to do with an arrival, and learns a later epoch. `is_welcome`: it is the answer to a hello;
  /// one of this cluster's is always taken, and is for begin() to judge. Any other that is taken counts as a
  /// sign of life, and its number as seen.
  Verdict check(const Envelope& arrival, bool is_welcome, Time now);

  /// Opens the session that a welcome names, in the place of one that may be open. Returns false when that
  /// very session is open already: a repeated welcome. Aborts on session 0.
  bool begin(const Envelope& welcome, Duration heartbeat, Time now);
  /// Counts as a sign of life what check() did not.
  void heard(Time now) { heartbeats_.heard(now); }
  /// Ends the session, if one is open, and delays the next attempt by a random while.
  void end(Random& random, Time now);
  /// Ends the session for good.
  void abandon();

  bool attempt_due(Time now) const { return !open() && now >= attempt_at_; }
  /// A hello is about to be sent: sets the time of the next, and remembers the epoch that this one names.
  void attempted(Random& random, Time now);
  void delay_attempt(Random& random, Time now) { attempt_at_ = now + backoff_.next(random); }
  void attempt_at_once(Time now) { attempt_at_ = now; }
  Time attempt_at() const { return attempt_at_; }
  /// Returns the epoch that the newest hello named; 0: none.
  Epoch attempted_in() const { return attempted_in_; }

  bool silent(Time now) const { return heartbeats_.silent(now); }
  bool beat_due(Time now) const { return heartbeats_.beat_due(now); }
  Heartbeat beat() { return {heartbeats_.next_number(), {}}; }
  /// Returns when the next hello, heartbeat or silence is due.
  std::optional<Time> next_deadline() const;

  /// Returns `message` addressed and, in a session, numbered. It counts as a heartbeat.
  Envelope wrap(Message message, Time now);

 private:
  bool belongs(const Envelope& arrival);

  Settings settings_;
  Backoff backoff_;
  Heartbeats heartbeats_;
  ClusterId cluster_;
  Epoch epoch_;
  Epoch attempted_in_;
  SessionId id_;
  std::uint64_t sent_ = 0;  // messages in this session
  SeqWindow received_;      // messages from the server in this session
  Time attempt_at_{};       // the next attempt to open a session; zero: at once
};

}  // namespace proffer::session
