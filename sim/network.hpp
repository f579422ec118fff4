// Messages on their way between machines: who is at the other end of a peer, how long it takes, and agents
// that tell of what has ended only with their periodic report.
#pragma once

#include <cstdint>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"
#include "sim/event_queue.hpp"
#include "sim/node.hpp"

namespace proffer::sim {

inline constexpr NodeNo kAllocatorNode = 0;
inline constexpr NodeNo kCatalogNode = 1;
inline constexpr NodeNo kFirstAgentNode = 2;

struct NetworkConfig {
  Duration latency{};
  Duration report_period{};  ///< of agents; 0: none
  bool codec = false;        ///< through the bytes of the wire
};

class Network {
 public:
  /// Without a latency messages go to `inbox` at once.
  Network(NetworkConfig config, std::uint32_t agents, EventQueue& queue, Inbox& inbox, Random random);

  /// Its first report comes at a random time within a period, as nothing keeps agents in step.
  void start_reports(Time now);
  void send(NodeNo from, PeerId to, Envelope envelope, Time now);
  /// A message that is due; `message` is its number on the queue.
  void arrived(std::uint32_t message);
  /// An agent's report is due: lets go what it held back, up to one freed slot.
  void report(std::uint32_t agent, Time now);

 private:
  bool is_agent(NodeNo node) const { return node >= kFirstAgentNode && node < kFirstAgentNode + agents_; }
  void carry(Arrival arrival, Time now);

  NetworkConfig config_;
  std::uint32_t agents_;
  EventQueue& queue_;
  Random random_;
  Inbox& inbox_;
  std::vector<Arrival> kept_;  // by number
  std::vector<std::uint32_t> free_;
  std::vector<Inbox> held_back_;  // by agent
};

}  // namespace proffer::sim
