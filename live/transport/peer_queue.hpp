// Messages to one peer that ZeroMQ would not take yet, within the bounds of limits.hpp.
#pragma once

#include <deque>
#include <string>

#include "live/transport/zmq_socket.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {

class PeerQueue {
 public:
  bool empty() const { return messages_.empty(); }

  /// Adds a message. False, and nothing is kept, when a bound would be passed.
  bool add(std::string bytes) {
    if (messages_.size() >= limits::kPeerQueueMessages) return false;
    if (bytes_ + bytes.size() > limits::kPeerQueueBytes) return false;
    bytes_ += bytes.size();
    messages_.push_back(std::move(bytes));
    return true;
  }

  void clear() {
    messages_.clear();
    bytes_ = 0;
  }

  /// Pushes messages in order, as far as the socket takes them. `taken` when nothing is left.
  Pushed push_to(ZmqSocket& socket, const std::string& route) {
    while (!messages_.empty()) {
      const auto pushed = socket.push(route, messages_.front());
      if (pushed != Pushed::taken) return pushed;
      bytes_ -= messages_.front().size();
      messages_.pop_front();
    }
    return Pushed::taken;
  }

 private:
  std::deque<std::string> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace proffer::live
