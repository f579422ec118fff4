// One conversation with one peer: docs/PROTOCOL.md, "Sessions, epochs, numbers".
#pragma once

#include <cstdint>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

/// Which numbers of the last 64 have come: each message of a session takes effect once.
class SeqWindow {
 public:
  /// False for a number that has come before, or is too old to tell. 0 is no number.
  bool take(std::uint64_t seq) {
    if (seq == 0) return true;
    if (seq > newest_) {
      const auto step = seq - newest_;
      seen_ = (step < kWidth ? seen_ << step : 0) | 1;
      newest_ = seq;
      return true;
    }
    const auto behind = newest_ - seq;
    if (behind >= kWidth || (seen_ >> behind & 1) != 0) return false;
    seen_ |= std::uint64_t{1} << behind;
    return true;
  }

 private:
  static constexpr std::uint64_t kWidth = 64;
  std::uint64_t newest_ = 0;
  std::uint64_t seen_ = 0;
};

struct Session {
  PeerId peer;
  SessionId id;
  std::uint64_t sent = 0;  // messages
  SeqWindow received;
  bool answered = false;  // the peer has said something in this session, so it knows of it
};

}  // namespace proffer::allocator
