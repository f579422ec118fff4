#include "live/host/port_set.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/live/log.hpp"

namespace proffer::live {
namespace {

constexpr int kPortShift = 56;

PeerId global(std::size_t port, PeerId local) {
  return {(std::uint64_t{port} + 1) << kPortShift | local.value};
}
PeerId local(PeerId peer) { return {peer.value & ((std::uint64_t{1} << kPortShift) - 1)}; }

}  // namespace

template <class Visit>
void PortSet::each_port(const Visit& visit) const {
  for (const auto& served : bound_) visit(*served.port);
  for (const auto& [as, connection] : connected_) visit(*connection.port);
}

void PortSet::add(std::unique_ptr<BoundPort> port, limits::Rate rate) {
  PROFFER_CHECK(bound_.size() < 255, "too many ports for the high byte of a PeerId");
  bound_.push_back({std::move(port), rate});
}

Result<> PortSet::connect(PeerId as, const std::string& endpoint) {
  PROFFER_CHECK(as == local(as), "a fixed PeerId that would stand for a client");
  auto port = ConnectedPort::connect(context_, endpoint);
  if (!port) return port.error();
  connected_[as] = {endpoint, std::move(port).value()};
  return {};
}

std::string PortSet::connected_to(PeerId as) const {
  const auto found = connected_.find(as);
  return found == connected_.end() ? std::string() : found->second.endpoint;
}

BoundPort* PortSet::bound(PeerId peer) const {
  const auto index = peer.value >> kPortShift;
  return index == 0 || index > bound_.size() ? nullptr : bound_[index - 1].port.get();
}

Sent PortSet::send(Traffic traffic, PeerId peer, std::string bytes) {
  if (auto* port = bound(peer)) return port->send_as(traffic, local(peer), std::move(bytes));
  const auto found = connected_.find(peer);
  if (found != connected_.end()) return found->second.port->send({}, std::move(bytes));
  unconnected_.push_back(peer);
  return Sent::peer_gone;
}

void PortSet::close(PeerId peer) {
  if (auto* port = bound(peer)) return port->close_peer(local(peer));
  const auto found = connected_.find(peer);
  if (found == connected_.end()) return;
  const auto endpoint = found->second.endpoint;
  connected_.erase(found);
  if (const auto again = connect(peer, endpoint); !again) log::error(again.error().message);
}

void PortSet::flush() {
  each_port([](Port& port) { port.flush(); });
}

bool PortSet::pending() const {
  bool any = false;
  each_port([&](const Port& port) { any = any || port.pending(); });
  return any;
}

void PortSet::prepare(PollSet& polled) const {
  each_port([&](Port& port) { polled.add_port(port); });
}

void PortSet::receive(int most, const std::function<void(Arrival)>& take) {
  const auto drain = [&](Port& port, const auto& as, const limits::Rate* rate) {
    for (int i = 0; i < most; ++i) {
      auto frame = port.receive();
      if (!frame) return;
      take({as(frame->peer), std::move(frame->bytes), rate != nullptr, rate ? *rate : limits::Rate{}});
    }
  };
  // ZeroMQ gives one message of each client that has some in turn, so a flood of one keeps no other waiting.
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    drain(
        *bound_[i].port, [&](PeerId peer) { return global(i, peer); }, &bound_[i].rate);
  }
  // The connections are copied first: what arrives may change them.
  std::vector<PeerId> servers;
  for (const auto& [as, connection] : connected_) servers.push_back(as);
  for (const auto as : servers) {
    const auto found = connected_.find(as);
    if (found != connected_.end())
      drain(
          *found->second.port, [&](PeerId) { return as; }, nullptr);
  }
}

std::vector<PeerId> PortSet::take_lost() {
  std::vector<PeerId> lost;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    for (const auto peer : bound_[i].port->take_lost()) lost.push_back(global(i, peer));
  }
  for (const auto& [as, connection] : connected_) {
    if (connection.port->take_lost()) lost.push_back(as);
  }
  for (const auto peer : std::exchange(unconnected_, {})) {
    if (std::find(lost.begin(), lost.end(), peer) == lost.end()) lost.push_back(peer);
  }
  return lost;
}

std::vector<PeerLag> PortSet::take_lags() {
  std::vector<PeerLag> lags;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    for (const auto& [peer, lag] : bound_[i].port->take_lags()) lags.push_back({global(i, peer), lag});
  }
  return lags;
}

std::uint64_t PortSet::dropped() const {
  std::uint64_t sum = 0;
  for (const auto& served : bound_) sum += served.port->dropped();
  return sum;
}

}  // namespace proffer::live
