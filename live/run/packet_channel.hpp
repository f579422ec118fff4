// One end of the socket between agent and launcher. Never blocks: what the other end does not take yet is
// queued.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "live/os/descriptor.hpp"
#include "live/run/packet.hpp"

namespace proffer::live {

class PacketChannel {
 public:
  explicit PacketChannel(Descriptor socket);

  int fd() const { return socket_.get(); }
  /// False once the other end is closed, or the socket has failed.
  bool open() const { return socket_.open(); }
  void close() { socket_.reset(); }

  void send(const Packet& packet);
  /// To be called when the socket has room again.
  void flush();
  /// Bytes that wait for room.
  std::size_t queued() const { return out_.size() - sent_; }

  /// What has come, a megabyte of it at most. What was there before the other end closed comes still.
  std::vector<Packet> receive();

 private:
  Descriptor socket_;
  PacketReader reader_;
  std::string out_;
  std::size_t sent_ = 0;  // of out_
};

}  // namespace proffer::live
