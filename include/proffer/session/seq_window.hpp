// The sequence numbers that have come in one session and direction.
#pragma once

#include <cstdint>

namespace proffer::session {

/// The last 64 sequence numbers, so that each message of a session takes effect once, however often the
/// network delivers it and in whatever order. A number that is 64 or more behind the newest counts as seen.
class SeqWindow {
 public:
  /// Marks `seq` as seen, and returns false when it was before. 0 is no number, and always new.
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
  std::uint64_t seen_ = 0;  // bit i: newest_ - i
};

}  // namespace proffer::session
