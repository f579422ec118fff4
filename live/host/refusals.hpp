// What is said about frames that are no message: to their sender and to the log, both at a bounded rate.
#pragma once

#include <cstdint>
#include <optional>

#include "live/host/host.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

class Refusals {
 public:
  explicit Refusals(HostConfig config) : config_(config) {}

  /// The ERROR for a client that has sent such a frame; none when too many have had one in this second.
  /// Servers get none: they would answer what they cannot read with an ERROR, and so on for ever.
  std::optional<Envelope> answer(const Error& error, bool is_client, Time now);

 private:
  void log(const Error& error, bool is_client);

  HostConfig config_;
  Time second_began_{};
  std::uint64_t in_second_ = 0;
};

}  // namespace proffer::live
