#include "sim/network.hpp"

#include <utility>

#include "proffer/check.hpp"
#include "proffer/formats/codec.hpp"

namespace proffer::sim {
namespace {

constexpr std::uint64_t kPeersOfOneLife = 1 << 24;
constexpr auto kNowhere = static_cast<NodeNo>(-1);

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

/// Returns the peer under which servers know a client's node in its present life. Clients know two peers
/// only.
PeerId Network::peer_of(NodeNo node) const {
  const auto lost = lives_.find(node);
  return {node + (lost == lives_.end() ? 0 : lost->second * kPeersOfOneLife)};
}

void Network::send(NodeNo from, PeerId to, Envelope envelope, Time now) {
  Arrival arrival;
  MessageReceived received;
  if (from == kAllocatorNode || from == kCatalogNode) {
    arrival.to = static_cast<NodeNo>(to.value % kPeersOfOneLife);
    // That life of the node is over, or it is out of reach.
    if (to != peer_of(arrival.to) || cut_.contains(arrival.to)) return;
    received.peer = from == kAllocatorNode ? kAllocatorPeer : kCatalogPeer;
  } else {
    arrival.to = to == kAllocatorPeer ? kAllocatorNode : kCatalogNode;
    if (down_.contains(arrival.to) || cut_.contains(from)) return;
    received.peer = peer_of(from);
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
  if (kept_[message].to != kNowhere) inbox_.push_back(std::move(kept_[message]));
}

bool Network::is_of(const Arrival& arrival, NodeNo node) const {
  if (arrival.to == node) return true;
  const bool at_server = arrival.to == kAllocatorNode || arrival.to == kCatalogNode;
  const auto* received = std::get_if<MessageReceived>(&arrival.event);
  return at_server && received != nullptr && received->peer == peer_of(node);
}

template <class Which>
void Network::drop(Which&& which) {
  std::erase_if(inbox_, which);
  for (auto& arrival : kept_) {
    if (which(arrival)) arrival.to = kNowhere;
  }
}

void Network::lose(NodeNo agent) {
  drop([&](const Arrival& arrival) { return is_of(arrival, agent); });
  for (const auto server : {kAllocatorNode, kCatalogNode}) {
    if (!cut_.contains(agent) && !down_.contains(server))
      inbox_.push_back({server, PeerLost{peer_of(agent)}});
  }
  ++lives_[agent];
}

void Network::set_cut(NodeNo agent, bool cut) {
  if (cut) {
    cut_.insert(agent);
  } else {
    cut_.erase(agent);
  }
}

void Network::lose_server(NodeNo server, const std::vector<NodeNo>& clients) {
  const auto peer = server == kAllocatorNode ? kAllocatorPeer : kCatalogPeer;
  drop([&](const Arrival& arrival) {
    if (arrival.to == server) return true;
    const auto* received = std::get_if<MessageReceived>(&arrival.event);
    return arrival.to >= kFirstAgentNode && received != nullptr && received->peer == peer;
  });
  down_.insert(server);
  for (const auto client : clients) {
    if (!cut_.contains(client)) inbox_.push_back({client, PeerLost{peer}});
  }
}

}  // namespace proffer::sim
