// The peers of a ROUTER: one record a connection that has said something, found by PeerId, routing id or
// descriptor. A descriptor belongs to one connection at a time, which bounds the table.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "live/transport/peer_queue.hpp"
#include "proffer/ids.hpp"

namespace proffer::live {

struct Peer {
  std::string route;
  int fd = -1;
  bool disconnected = false;  ///< no more will come; messages may still wait to be received
  PeerQueue queue;
};

class PeerTable {
 public:
  Peer* find(PeerId id);
  std::optional<PeerId> by_route(const std::string& route) const;
  std::optional<PeerId> by_fd(int fd) const;
  /// Adds a new peer. No other may have its route or descriptor.
  PeerId add(std::string route, int fd);
  void remove(PeerId id);
  std::vector<PeerId> disconnected() const;

 private:
  std::map<PeerId, Peer> peers_;
  std::map<std::string, PeerId> by_route_;
  std::map<int, PeerId> by_fd_;
  std::uint64_t last_ = 0;
};

}  // namespace proffer::live
