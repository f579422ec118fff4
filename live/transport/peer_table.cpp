#include "live/transport/peer_table.hpp"

#include "proffer/check.hpp"

namespace proffer::live {
namespace {

template <class Map, class Key>
std::optional<PeerId> look_up(const Map& map, const Key& key) {
  const auto found = map.find(key);
  if (found == map.end()) return {};
  return found->second;
}

}  // namespace

Peer* PeerTable::find(PeerId id) {
  const auto found = peers_.find(id);
  return found == peers_.end() ? nullptr : &found->second;
}

const Peer* PeerTable::find(PeerId id) const {
  const auto found = peers_.find(id);
  return found == peers_.end() ? nullptr : &found->second;
}

std::optional<PeerId> PeerTable::by_route(const std::string& route) const {
  return look_up(by_route_, route);
}
std::optional<PeerId> PeerTable::by_fd(int fd) const { return look_up(by_fd_, fd); }

PeerId PeerTable::add(std::string route, int fd) {
  const PeerId id{++last_};
  PROFFER_CHECK(by_route_.emplace(route, id).second, "two peers of one routing id");
  if (fd >= 0) PROFFER_CHECK(by_fd_.emplace(fd, id).second, "two peers of one descriptor");
  peers_.try_emplace(id, std::move(route), fd, room_);
  return id;
}

void PeerTable::remove(PeerId id) {
  const auto found = peers_.find(id);
  PROFFER_CHECK(found != peers_.end(), "no such peer");
  by_route_.erase(found->second.route);
  by_fd_.erase(found->second.fd);
  peers_.erase(found);
}

std::vector<PeerId> PeerTable::disconnected() const {
  std::vector<PeerId> all;
  for (const auto& [id, peer] : peers_) {
    if (peer.disconnected) all.push_back(id);
  }
  return all;
}

}  // namespace proffer::live
