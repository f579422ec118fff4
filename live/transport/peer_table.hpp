// The peers of a ROUTER: one record a connection that has said something, found by PeerId, routing id or
// descriptor. A descriptor belongs to one connection at a time, which bounds the table.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "live/transport/outflow.hpp"
#include "live/transport/peer_queue.hpp"
#include "proffer/ids.hpp"

namespace proffer::live {

struct Peer {
  Peer(std::string its_route, int its_fd, QueueRoom& room)
      : route(std::move(its_route)), fd(its_fd), queue(room), outflow(its_fd) {}

  std::string route;
  int fd = -1;
  bool disconnected = false;  ///< no more will come; messages may still wait to be received
  PeerQueue queue;
  Outflow outflow;
  Time try_at{};         ///< not before that time is ZeroMQ asked again to take what is queued
  Duration try_every{};  ///< the wait before that
  Lag told = Lag::none;  ///< the newest that take_lags() has named
};

class PeerTable {
 public:
  /// `room`: shared by the queues of all peers; must outlive this object.
  explicit PeerTable(QueueRoom& room) : room_(room) {}
  Peer* find(PeerId id);
  const Peer* find(PeerId id) const;
  std::optional<PeerId> by_route(const std::string& route) const;
  std::optional<PeerId> by_fd(int fd) const;
  /// Adds a new peer. No other may have its route or descriptor.
  PeerId add(std::string route, int fd);
  void remove(PeerId id);
  std::vector<PeerId> disconnected() const;

 private:
  QueueRoom& room_;
  std::map<PeerId, Peer> peers_;
  std::map<std::string, PeerId> by_route_;
  std::map<int, PeerId> by_fd_;
  std::uint64_t last_ = 0;
};

}  // namespace proffer::live
