// A conversation with one server (the allocator, the catalog): attempts to open it, its session, heartbeats
// both ways, and which arrivals belong to it. Its invariant: a session is never zero while it is open.
#pragma once

#include <cstdint>
#include <optional>

#include "proffer/message.hpp"
#include "proffer/random.hpp"
#include "proffer/time.hpp"

namespace proffer {

class Link {
 public:
  struct Settings {
    Duration retry_first;   ///< bound of the delay between attempts; doubles
    Duration retry_max;     ///< up to this
    Duration silent_after;  ///< at least three heartbeats, whatever this says
  };
  enum class Verdict : std::uint8_t {
    take,
    drop,           ///< of another session, or of an earlier life of the server
    restarted,      ///< the server has started anew: the session is void
    other_cluster,  ///< not the cluster that took us
  };

  explicit Link(Settings settings);

  bool open() const { return session_.value != 0; }
  Epoch epoch() const { return epoch_; }

  /// To be called first in every step. When we ourselves have slept for more than two heartbeats (SIGSTOP, a
  /// paused machine), silence in that time proves nothing: the server gets as much more.
  void woke(Time now);
  /// What to do with an arrival; learns a later epoch. `is_welcome`: it is what opens a session.
  Verdict check(const Envelope& arrival, bool is_welcome, Time now);
  /// False for the second and further messages of one kind that the network doubled or delayed.
  bool is_newest(const Envelope& arrival);

  /// A welcome has come. False when that session is open already. Aborts on session 0.
  bool begin(const Envelope& welcome, Duration heartbeat, Time now);
  /// The session is void; the next attempt comes after a short random while.
  void end(Random& random, Time now);

  bool attempt_due(Time now) const { return !open() && now >= attempt_at_; }
  void attempted(Random& random, Time now) { attempt_at_ = now + next_delay(random); }
  void attempt_at_once(Time now) { attempt_at_ = now; }

  bool silent(Time now) const { return beats() && now >= heard_ + silent_after_; }
  bool beat_due(Time now) const { return beats() && now >= sent_at_ + heartbeat_; }
  Message beat() { return Heartbeat{++beats_sent_, {}}; }
  std::optional<Time> next_deadline() const;

  /// Addressed and numbered; counts as a heartbeat.
  Envelope wrap(Message message, Time now);

 private:
  bool beats() const { return open() && heartbeat_ > Duration::zero(); }
  Duration next_delay(Random& random);

  Settings settings_;
  Duration delay_bound_;
  ClusterId cluster_;
  Epoch epoch_;
  SessionId session_;
  std::uint64_t sent_ = 0;      // messages in this session
  std::uint64_t received_ = 0;  // the highest number that is_newest() has seen
  std::uint64_t beats_sent_ = 0;
  Duration heartbeat_{};  // 0: none, and nobody is ever silent
  Duration silent_after_{};
  Time attempt_at_{};  // at once
  Time heard_{};
  Time sent_at_{};
  Time woke_{};
};

}  // namespace proffer
