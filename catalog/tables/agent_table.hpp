// Agents that have a session with the catalog. Its invariant: an agent has one session with one peer, and a
// peer has at most one agent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "catalog/tables/block_report.hpp"
#include "proffer/ids.hpp"
#include "proffer/session/server_session.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer::catalog {

struct AgentRecord {
  AgentInfo info;
  session::ServerSession session;
  bool silent = false;
  bool reported = false;                      ///< a full report has come in this session
  Time reported_at{};                         ///< the time at which the last full report was complete
  std::optional<ReportAssembly> report = {};  ///< a full report that is coming in
  std::optional<Time> ask_again = {};  ///< the time to ask again for a full report that should be coming
  std::uint64_t changes = 0;           ///< the number of the newest BlocksChanged since the report
  /// The time to send deletions again of replicas that are still there.
  std::optional<Time> delete_again = {};

  /// Returns whether its replicas count and new ones may go there.
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
  /// Returns the agent whose session this is; null: there is none.
  AgentRecord* match(PeerId peer, SessionId session);
  const AgentRecord* find(AgentId agent) const;

  /// Notes a sign of life.
  void heard(AgentRecord& agent, Time now);
  /// Marks agents as silent that said nothing for `limit`, and returns those that were not marked before.
  std::vector<AgentId> fall_silent(Duration limit, Time now);
  /// Adds the time in which the catalog itself did not run to what each agent may be silent.
  void forgive(Duration gap);

  Agents& all() { return agents_; }
  const Agents& all() const { return agents_; }
  void check_invariants() const;

 private:
  Agents agents_;
  std::map<PeerId, AgentId> by_peer_;
};

}  // namespace proffer::catalog
