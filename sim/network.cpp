#include "sim/network.hpp"

#include <utility>

#include "proffer/check.hpp"
#include "proffer/formats/codec.hpp"

namespace proffer::sim {
namespace {

bool frees_a_slot(const Envelope& envelope) {
  const auto* status = std::get_if<Status>(&envelope.message);
  return status != nullptr && is_terminal(status->status.state);
}

Envelope through_bytes(const Envelope& envelope) {
  std::string bytes;
  encode(envelope, bytes);
  auto decoded = decode(bytes);
  PROFFER_CHECK(decoded, "a message of ours cannot be read: " + decoded.error().message);
  return std::move(*decoded);
}

}  // namespace

Network::Network(NetworkConfig config, std::uint32_t agents, EventQueue& queue, Inbox& inbox, Random random)
    : config_(config),
      agents_(agents),
      queue_(queue),
      random_(std::move(random)),
      inbox_(inbox),
      held_back_(agents) {}

void Network::start_reports(Time now) {
  if (config_.report_period <= Duration::zero()) return;
  for (std::uint32_t agent = 0; agent < agents_; ++agent) {
    const auto phase = random_.below(static_cast<std::uint64_t>(config_.report_period.count()));
    queue_.push(now + Duration(static_cast<std::int64_t>(phase)), What::report, agent);
  }
}

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
  const bool reported =
      config_.report_period > Duration::zero() && is_agent(from) && arrival.to == kAllocatorNode;
  const bool waits = reported && (!held_back_[from - kFirstAgentNode].empty() || frees_a_slot(envelope));
  received.envelope = config_.codec ? through_bytes(envelope) : std::move(envelope);
  arrival.event = std::move(received);
  if (waits) {
    held_back_[from - kFirstAgentNode].push_back(std::move(arrival));
  } else {
    carry(std::move(arrival), now);
  }
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

void Network::report(std::uint32_t agent, Time now) {
  auto& held = held_back_[agent];
  bool freed = false;
  while (!held.empty()) {
    const bool frees = frees_a_slot(std::get<MessageReceived>(held.front().event).envelope);
    if (freed && frees) break;
    freed |= frees;
    carry(std::move(held.front()), now);
    held.pop_front();
  }
  queue_.push(now + config_.report_period, What::report, agent);
}

}  // namespace proffer::sim
