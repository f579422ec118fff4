#include "live/transport/peer_queue.hpp"

#include <algorithm>
#include <utility>

#include "proffer/limits.hpp"
#include "proffer/live/limits.hpp"

namespace proffer::live {
namespace {

/// A peer for which something was refused is told of as full for so long at least: where the room of all
/// peers is used up its own queue may be empty, and it would be flooded again at once.
constexpr Duration kFullFor = std::chrono::milliseconds(500);

}  // namespace

bool PeerQueue::fits_within(std::size_t eighths, std::size_t bytes) const {
  return (messages_.size() + 1) * 8 <= limits::kPeerQueueMessages * eighths &&
         (bytes_ + bytes) * 8 <= limits::kPeerQueueBytes * eighths;
}

bool PeerQueue::has_filled(std::size_t eighths) const {
  return messages_.size() * 8 >= limits::kPeerQueueMessages * eighths ||
         bytes_ * 8 >= limits::kPeerQueueBytes * eighths;
}

bool PeerQueue::has_room(std::size_t bytes, Traffic traffic) const {
  switch (traffic) {
    case Traffic::control:
      return fits_within(8, bytes);
    case Traffic::update:
      return fits_within(limits::kUpdateEighths, bytes) && room_.fits(bytes);
    case Traffic::loose:
      return fits_within(limits::kLooseEighths, bytes) && room_.fits(bytes);
    case Traffic::sign:
      return empty();  // whatever waits will be a sign of life as good as this one
  }
  return false;
}

bool PeerQueue::add(std::string bytes, Traffic traffic, Time now) {
  if (!has_room(bytes.size(), traffic)) {
    if (traffic == Traffic::update) refused_at_ = now;
    if (traffic == Traffic::loose) lag_ = std::max(lag_, Lag::half);
    return false;
  }
  bytes_ += bytes.size();
  room_.take(bytes.size());
  messages_.push_back({std::move(bytes), now});
  return true;
}

void PeerQueue::pop() {
  const auto bytes = messages_.front().bytes.size();
  bytes_ -= bytes;
  room_.give_back(bytes);
  messages_.pop_front();
}

void PeerQueue::clear() {
  room_.give_back(bytes_);
  bytes_ = 0;
  messages_.clear();
}

Lag PeerQueue::lag(Time now) {
  const bool old = !empty() && now - messages_.front().since > limits::kOldMessage;
  const bool refused = refused_at_ && now - *refused_at_ < kFullFor;
  if (!old && !refused && !has_filled(limits::kCaughtUpEighths)) {
    refused_at_.reset();
    return lag_ = Lag::none;
  }
  if (refused_at_ || has_filled(limits::kUpdateEighths)) return lag_ = Lag::full;
  if (old || has_filled(limits::kLooseEighths)) lag_ = std::max(lag_, Lag::half);
  return lag_;
}

}  // namespace proffer::live
