// Packets on their way over connections that may break: each is kept until the other end has said that it came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "live/run/packet.hpp"

namespace proffer::live {

class Outbox {
 public:
  /// Numbers the packet, and keeps it. Returns it as it is to be sent.
  const Packet& add(Packet packet) {
    packet.seq = ++newest_;
    bytes_ += packet.bytes.size();
    kept_.push_back(std::move(packet));
    return kept_.back();
  }
  /// Notes that the other end has all up to `seq`, which may be more than was sent from here: by another
  /// process before this one.
  void heard(std::uint64_t seq) {
    while (!kept_.empty() && kept_.front().seq <= seq) {
      bytes_ -= kept_.front().bytes.size();
      kept_.pop_front();
    }
  }
  /// Goes on after `seq`, with what was added before that was known.
  void begin_after(std::uint64_t seq) {
    newest_ = seq;
    for (auto& packet : kept_) packet.seq = ++newest_;
  }
  const std::deque<Packet>& kept() const { return kept_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::uint64_t newest_ = 0;
  std::deque<Packet> kept_;  // in order of their numbers
  std::size_t bytes_ = 0;
};

}  // namespace proffer::live
