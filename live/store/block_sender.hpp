// Sends a block to all its targets at once, each at its own pace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "live/transport/port_pool.hpp"
#include "proffer/messages/catalog.hpp"

namespace proffer::live {

class BlockSender {
 public:
  BlockSender(Context& context, Duration timeout) : ports_(context.data_ports()), timeout_(timeout) {}

  struct Stream;
  struct Failed {
    Replica target;
    Error error;
  };
  /// Returns once every target has the block or has failed. A target fails by itself: it refuses, breaks off,
  /// or makes no progress for the timeout.
  std::vector<Failed> send(const BlockAllocated& block, std::string_view bytes);

 private:
  static std::vector<Failed> take_failures(std::vector<Stream>& streams);

  PortPool& ports_;
  Duration timeout_;
  Poller poller_;
  std::uint64_t requests_ = 0;
};

}  // namespace proffer::live
