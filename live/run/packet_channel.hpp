// An end of a socket between agent and launcher, or launcher and shim. Never blocks: packets that the other end does not take yet
// are queued.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "live/os/descriptor.hpp"
#include "live/run/packet.hpp"

namespace proffer::live {

class PacketChannel {
 public:
  PacketChannel() = default;  ///< one that is closed
  explicit PacketChannel(Descriptor socket);

  int fd() const { return socket_.get(); }
  /// Returns false once the other end is closed, the socket has failed, or what came is no packet.
  bool open() const { return socket_.open(); }
  void close() { socket_.reset(); }

  void send(const Packet& packet);
  /// Must be called when the socket has room again.
  void flush();
  /// Returns the number of bytes that wait for room.
  std::size_t queued() const { return out_.size() - sent_; }

  /// Returns packets that have come, a megabyte of them at most; also those that were sent before the other
  /// end closed.
  std::vector<Packet> receive();

 private:
  Descriptor socket_;
  PacketReader reader_;
  std::string out_;
  std::size_t sent_ = 0;  // bytes of out_ that were sent
};

}  // namespace proffer::live
