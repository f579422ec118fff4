// Connections to data ports, kept from one request to the next.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "proffer/live/port.hpp"

namespace proffer::live {

class PortPool {
 public:
  explicit PortPool(Context& context) : context_(context) {}

  /// Closes the connection used longest ago when there are too many. Ports of one block's targets, or of one
  /// fetch, are far fewer than that, and stay.
  Result<ConnectedPort*> to(const std::string& endpoint);
  /// Whatever is still under way there is of no interest any more.
  void drop(const std::string& endpoint) { ports_.erase(endpoint); }

 private:
  struct Held {
    std::unique_ptr<ConnectedPort> port;
    std::uint64_t used = 0;
  };
  void make_room();

  Context& context_;
  std::map<std::string, Held> ports_;
  std::uint64_t uses_ = 0;
};

/// A port that has had something to send for so long, without a connection, will not get one.
inline constexpr Duration kConnectPatience = std::chrono::seconds(3);

}  // namespace proffer::live
