#include "sim/network.hpp"

#include <utility>

#include "proffer/check.hpp"
#include "proffer/formats/codec.hpp"

namespace proffer::sim {
namespace {

Envelope through_bytes(const Envelope& envelope) {
  std::string bytes;
  encode(envelope, bytes);
  auto decoded = decode(bytes);
  PROFFER_CHECK(decoded, "a message of ours cannot be read: " + decoded.error().message);
  return std::move(*decoded);
}

}  // namespace

Network::Network(NetworkConfig config, EventQueue& queue, Inbox& inbox)
    : config_(config), queue_(queue), inbox_(inbox) {}

/// Clients know two peers; a server's peer is a client's node.
void Network::send(NodeNo from, PeerId to, Envelope envelope, Time now) {
  Arrival arrival;
  MessageReceived received;
  if (from == kAllocatorNode || from == kCatalogNode) {
    arrival.to = static_cast<NodeNo>(to.value);
    received.peer = from == kAllocatorNode ? kAllocatorPeer : kCatalogPeer;
  } else {
    arrival.to = to == kAllocatorPeer ? kAllocatorNode : kCatalogNode;
    received.peer = {from};
  }
  received.envelope = config_.codec ? through_bytes(envelope) : std::move(envelope);
  arrival.event = std::move(received);
  carry(std::move(arrival), now);
}

void Network::carry(Arrival arrival, Time now) {
  if (config_.latency <= Duration::zero()) {
    inbox_.push_back(std::move(arrival));
    return;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(kept_.size()));
    kept_.emplace_back();
  }
  const auto number = free_.back();
  free_.pop_back();
  kept_[number] = std::move(arrival);
  queue_.push(now + config_.latency, What::message, number);
}

void Network::arrived(std::uint32_t message) {
  free_.push_back(message);
  inbox_.push_back(std::move(kept_[message]));
}

}  // namespace proffer::sim
