// The bytes that ZeroMQ has read from each connection and not handed over yet, by descriptor. Its high-water
// marks count whole messages, so a single message that never ends would fill the memory unseen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "live/os/descriptor.hpp"

namespace proffer::live {

/// Counts the bytes that the kernel has received on a connection, less those that still wait in the kernel,
/// less those that were handed over. Only connections over TCP are watched. A connection that has ended may
/// have its descriptor used again before anybody learns of it; then numbers are wrong for as long, to the
/// peer's advantage.
class HeldBytes {
 public:
  HeldBytes();

  void accepted(int fd);
  void gone(int fd);
  bool any() const { return !connections_.empty(); }

  /// Notes that a frame of so many bytes was handed over. `last`: the last one of its message.
  void taken(int fd, std::size_t bytes, bool last);
  /// Looks at the connections that have received something since the last look, and at some others in turn,
  /// and ends those of which more than limits::kPeerHeldBytes is held. `nothing_waits`: no whole message is
  /// left to be handed over. Returns how many were ended.
  std::size_t end_greedy(bool nothing_waits);

 private:
  struct Connection {
    std::uint64_t taken = 0;  // bytes on the wire, as far as they were messages
    // Bytes that had been read when no whole message was left. When the next one comes, all of it was handed
    // over or belongs to no message (commands of the protocol, which nobody else counts).
    std::uint64_t read_when_idle = 0;
    bool ended = false;  // ended here; ZeroMQ has not reported it yet
  };
  /// Ends the connection if too much of it is held; returns whether it was ended.
  bool look(int fd, Connection& connection, bool nothing_waits) const;
  std::size_t look_at_busy(bool nothing_waits);
  std::size_t look_at_some(bool nothing_waits);

  /// Edge-triggered: names descriptors that have received something, at no cost for others. It passes over
  /// those that have been read empty and whose peer does not read.
  Descriptor epoll_;
  std::map<int, Connection> connections_;
  int looked_at_ = -1;  // the last of those that have their turn
};

}  // namespace proffer::live
