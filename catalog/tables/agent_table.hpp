// Agents that have a session with the catalog. Its invariant: an agent has one session with one peer, and a
// peer has at most one agent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "catalog/tables/block_report.hpp"
#include "proffer/ids.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer {

struct AgentRecord {
  AgentInfo info;
  PeerId peer;
  SessionId session;
  std::uint64_t sent = 0;  // messages in this session
  Time heard{};
  bool silent = false;
  bool reported = false;                 // a full report of this session has come
  Time reported_at{};                    // when
  std::optional<ReportAssembly> report;  // one is coming in
  std::optional<Time> ask_again;         // for a full report that should be coming
  std::uint64_t changes = 0;             // number of the newest BlocksChanged since the report
  std::optional<Time> delete_again;      // condemned replicas that are still there

  /// Whether its replicas count and new ones may go there.
  bool counts() const { return reported && !silent; }
  Replica replica() const { return {info.id, info.data_endpoint, info.rack}; }
};

class AgentTable {
 public:
  using Agents = std::map<AgentId, AgentRecord>;

  /// Aborts when the agent or the peer has a session.
  AgentRecord& open(AgentInfo info, PeerId peer, SessionId session, Time now);
  void close(AgentId agent);
  AgentRecord* find(AgentId agent);
  AgentRecord* find_peer(PeerId peer);
  /// The agent whose session this is.
  AgentRecord* match(PeerId peer, SessionId session);
  const AgentRecord* find(AgentId agent) const;

  void heard(AgentRecord& agent, Time now);
  /// Marks those as silent that said nothing for `limit`, and names them.
  std::vector<AgentId> fall_silent(Duration limit, Time now);
  /// We ourselves did not run for so long: nobody is to blame for silence in that time.
  void forgive(Duration gap);

  Agents& all() { return agents_; }
  const Agents& all() const { return agents_; }
  void check_invariants() const;

 private:
  Agents agents_;
  std::map<PeerId, AgentId> by_peer_;
};

}  // namespace proffer
