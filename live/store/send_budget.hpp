// A token bucket: how much an agent may send, and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "proffer/time.hpp"

namespace proffer::live {

class SendBudget {
 public:
  /// `bytes_per_s`: none lets everything go at once. Aborts on a rate of 0.
  SendBudget(std::optional<std::uint64_t> bytes_per_s, Time now);

  /// Returns the most bytes to send in one piece: small when there is a rate, so that nobody waits long
  /// behind others.
  std::size_t piece() const;
  /// Returns the time until a piece may go; 0: now.
  Duration wait(Time now);
  void spend(std::size_t bytes, Time now);

 private:
  void refill(Time now);

  // Byte-microseconds per second: with them a rate needs no division, and nothing is rounded away.
  std::int64_t rate_ = 0;  // bytes a second; 0: none
  std::int64_t credit_ = 0;
  Time filled_;
};

}  // namespace proffer::live
