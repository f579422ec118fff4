// Messages on their way between machines: the node at the other end of a peer, and the latency.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "proffer/machine.hpp"
#include "sim/event_queue.hpp"
#include "sim/node.hpp"

namespace proffer::sim {

inline constexpr NodeNo kAllocatorNode = 0;
inline constexpr NodeNo kCatalogNode = 1;
inline constexpr NodeNo kFirstAgentNode = 2;

struct NetworkConfig {
  Duration latency{};
  bool codec = false;  ///< through the bytes of the wire
};

class Network {
 public:
  /// Messages go to `inbox`, at once if there is no latency.
  Network(NetworkConfig config, EventQueue& queue, Inbox& inbox);

  void send(NodeNo from, PeerId to, Envelope envelope, Time now);
  /// Delivers a message that is due; `message` is its number on the queue.
  void arrived(std::uint32_t message);
  /// Loses an agent, with all that was on its way to it or from it; servers are told so, unless it is cut off
  /// from them. Its next life has other PeerIds.
  void lose(NodeNo agent);
  /// Lets nothing pass between an agent and the servers, of which nobody is told; or does so again.
  void set_cut(NodeNo agent, bool cut);
  /// Loses a server, with all that was on its way to it or from it, and what is sent to it from now on;
  /// these clients are told so, unless they are cut off from it.
  void lose_server(NodeNo server, const std::vector<NodeNo>& clients);
  void server_is_back(NodeNo server) { down_.erase(server); }

 private:
  void carry(Arrival arrival, Time now);
  PeerId peer_of(NodeNo node) const;
  bool is_of(const Arrival& arrival, NodeNo node) const;
  template <class Which>
  void drop(Which&& which);

  NetworkConfig config_;
  EventQueue& queue_;
  Inbox& inbox_;
  std::vector<Arrival> kept_;  ///< indexed by the number of the message
  std::vector<std::uint32_t> free_;
  std::set<NodeNo> cut_;                   ///< agents that are cut off
  std::set<NodeNo> down_;                  ///< servers that are down
  std::map<NodeNo, std::uint64_t> lives_;  ///< the number of times that each node was lost
};

}  // namespace proffer::sim
