// The ports of one machine under one space of PeerIds: the high byte names the bound port (from 1), the rest
// is that port's own number. Connected ports stand under the machine's fixed ids (kAllocatorPeer, ...), whose
// high byte is 0.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "live/host/loop.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

class PortSet {
 public:
  struct Arrival {
    PeerId peer;
    std::string bytes;
    bool is_client = false;  ///< the message came over a bound port
    limits::Rate rate = {};  ///< of messages that such a client may send
  };

  explicit PortSet(Context& context) : context_(context) {}

  /// Adds a bound port; at most 255. `rate`: what each of its clients may send.
  void add(std::unique_ptr<BoundPort> port, limits::Rate rate = {});
  /// Connects `as`, in place of a former connection. `invalid`.
  Result<> connect(PeerId as, const std::string& endpoint);
  void disconnect(PeerId as) { connected_.erase(as); }
  /// Returns the endpoint that `as` is connected to; empty: none.
  std::string connected_to(PeerId as) const;

  Sent send(Traffic traffic, PeerId peer, std::string bytes);
  /// Forgets a client; connects anew to a server.
  void close(PeerId peer);
  void flush();
  bool pending() const;
  void prepare(PollSet& polled) const;
  /// Hands over messages that have come, at most `most` a port, so that no port keeps the others (and time)
  /// waiting.
  void receive(int most, const std::function<void(Arrival)>& take);
  /// Peers gone since the last call.
  std::vector<PeerId> take_lost();
  /// Clients that lag more, or less, than at the last call.
  std::vector<PeerLag> take_lags();
  std::uint64_t dropped() const;

 private:
  struct Connection {
    std::string endpoint;
    std::unique_ptr<ConnectedPort> port;
  };
  struct Served {
    std::unique_ptr<BoundPort> port;
    limits::Rate rate;
  };
  BoundPort* bound(PeerId peer) const;
  template <class Visit>
  void each_port(const Visit& visit) const;

  Context& context_;
  std::vector<Served> bound_;
  std::map<PeerId, Connection> connected_;
  std::vector<PeerId> unconnected_;  // sent to while there was no connection of that id
};

}  // namespace proffer::live
