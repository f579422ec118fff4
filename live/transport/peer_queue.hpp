// Messages to one peer that ZeroMQ would not take yet, within the bounds of limits.hpp.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "live/transport/queue_room.hpp"
#include "proffer/live/port.hpp"
#include "proffer/machine.hpp"

namespace proffer::live {

/// A queue in order of arrival. Each class of traffic has a bound of its own, so that what must reach the
/// peer finds room behind what need not.
class PeerQueue {
 public:
  /// `room` must outlive the queue.
  explicit PeerQueue(QueueRoom& room) : room_(room) {}
  ~PeerQueue() { clear(); }
  PeerQueue(const PeerQueue&) = delete;
  PeerQueue& operator=(const PeerQueue&) = delete;

  bool empty() const { return messages_.empty(); }
  const std::string& front() const { return messages_.front().bytes; }

  /// Adds a message. False, and nothing is kept, when the bound of its class would be passed.
  bool add(std::string bytes, Traffic traffic, Time now);
  void pop();
  void clear();
  /// Returns how far the peer is behind. It lags until nearly all has left: a peer at a bound would else be
  /// told of, and flooded again, with each message that it takes.
  Lag lag(Time now);

 private:
  struct Waiting {
    std::string bytes;
    Time since{};
  };
  /// Returns whether one more message would fill no more than that part of the queue.
  bool fits_within(std::size_t eighths, std::size_t bytes) const;
  bool has_filled(std::size_t eighths) const;
  bool has_room(std::size_t bytes, Traffic traffic) const;

  QueueRoom& room_;
  std::deque<Waiting> messages_;
  std::size_t bytes_ = 0;
  Lag lag_ = Lag::none;
  std::optional<Time> refused_at_;  // something that its sender counts on, since the peer kept up
};

}  // namespace proffer::live
