// The room that the queues of all peers of a process share.
#pragma once

#include <atomic>
#include <cstddef>

#include "proffer/live/limits.hpp"

namespace proffer::live {

/// Counts bytes. Messages that must reach their peers are counted as well, and never refused for want of this
/// room: each queue bounds them.
class QueueRoom {
 public:
  explicit QueueRoom(std::size_t most = limits::kAllQueuesBytes) : most_(most) {}
  bool fits(std::size_t bytes) const { return taken_ + bytes <= most_; }
  void take(std::size_t bytes) { taken_ += bytes; }
  void give_back(std::size_t bytes) { taken_ -= bytes; }
  std::size_t taken() const { return taken_; }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> taken_{0};
};

}  // namespace proffer::live
