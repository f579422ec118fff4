// The number of messages that each client of a host may send: more are thrown away before they are read,
// which is what costs time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "proffer/ids.hpp"
#include "proffer/live/limits.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

class Inbound {
 public:
  enum class Verdict : std::uint8_t {
    take,
    refuse,  ///< not read, and the client is told so: once a second at most
    drop,    ///< not read
  };
  /// `now` never falls from one call to the next.
  Verdict judge(PeerId client, limits::Rate rate, Time now);
  /// To be called for each client that has gone.
  void forget(PeerId client) { clients_.erase(client); }

 private:
  struct Client {
    Time paid_until{};  ///< the time until which its messages so far would last at its rate
    Time second_began{};
    std::uint64_t in_second = 0;  ///< messages
    int flooded_seconds = 0;      ///< in a row, those before the present one
    Time told_at = Time::min();
    Time muted_until = Time::min();
  };
  static void count(Client& client, limits::Rate rate, Time now);

  std::map<PeerId, Client> clients_;
};

}  // namespace proffer::live
