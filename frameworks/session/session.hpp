// Who we are to the allocator: cluster, epoch, session and sequence numbers, and which arrivals belong to it.
#pragma once

#include <cstdint>

#include "proffer/message.hpp"

namespace proffer {

/// Sequence numbers seen lately, so that a message which the network doubled is handled once. Arrivals out of
/// order are taken; one that is 64 or more behind counts as seen.
class SeqWindow {
 public:
  /// False when `seq` was seen before. 0 is outside sessions and always new.
  bool take(std::uint64_t seq);

 private:
  std::uint64_t newest_ = 0;
  std::uint64_t seen_ = 0;  // bit i: newest_ - i
};

class Session {
 public:
  enum class Verdict : std::uint8_t {
    take,
    drop,           ///< of another session, of an earlier epoch, or a repeat
    restarted,      ///< the allocator has started anew: every offer is void, subscribe again
    other_cluster,  ///< not the cluster that this framework belongs to
  };

  bool open() const { return id_.value != 0; }
  Epoch epoch() const { return epoch_; }

  /// What to do with an arrival. Learns a later epoch, and marks the sequence number of what it takes.
  Verdict check(const Envelope& arrival);
  /// SUBSCRIBED has come. Aborts on session 0; false when that session is open already.
  bool begin(const Envelope& subscribed);
  void end() { id_ = {}; }

  /// Addressed and numbered.
  Envelope wrap(Message message);

 private:
  ClusterId cluster_;
  Epoch epoch_;
  SessionId id_;
  std::uint64_t sent_ = 0;
  SeqWindow received_;
};

}  // namespace proffer
