// Everything the catalog knows, as its handlers share it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "catalog/tables/agent_secrets.hpp"
#include "catalog/tables/agent_table.hpp"
#include "catalog/tables/client_table.hpp"
#include "catalog/tables/copy_table.hpp"
#include "catalog/tables/heat_table.hpp"
#include "catalog/tables/lacking.hpp"
#include "catalog/tables/name_table.hpp"
#include "catalog/tables/replica_table.hpp"
#include "catalog/tables/settling.hpp"
#include "catalog/tables/watchers.hpp"
#include "catalog/tables/writers.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/machine.hpp"
#include "proffer/random.hpp"
#include "proffer/secret_source.hpp"
#include "proffer/session/own_time.hpp"
#include "proffer/session/server_session.hpp"

namespace proffer::catalog {

/// The next times of what the catalog does by itself; none: there is no reason to.
struct Timers {
  std::optional<Time> heartbeat;
  std::optional<Time> round;  ///< the next round of the replication manager
  std::optional<Time> scan;   ///< the next look at all blocks, for replicas that are missing
};

struct State {
  State(CatalogConfig settings, ClusterId cluster, Epoch epoch, std::vector<FileInfo> files,
        BlockId next_block, Random numbers, SecretSource source)
      : config(std::move(settings)),
        server{cluster, epoch},
        random(std::move(numbers)),
        secrets(std::move(source)),
        settling(!files.empty(), config.settle_for),
        names(std::move(files), next_block) {}

  // The identity of this catalog. Constant, but for the random numbers that are drawn.
  CatalogConfig config;
  session::ServerIdentity server;
  Random random;
  SecretSource secrets;

  // Time.
  Settling settling;
  Timers timers;
  session::PauseDetector pauses;  ///< pauses of the catalog, in which agents are forgiven their silence
  std::uint64_t heartbeats = 0;   ///< the number of the last one

  // Files. A file of `names` that is not complete has a writer.
  NameTable names;
  Writers writers;
  StoreRoom disk;     ///< the disk on which names are kept
  bool over = false;  ///< the process is about to end: all sessions are over, and nobody gets one

  // Peers, and the replicas that agents have reported.
  AgentTable agents;
  AgentSecrets agent_secrets;
  ClientTable clients;
  ReplicaTable replicas;

  // Replicas that come and go without a writer. Only sealed blocks are in demand or copied.
  HeatTable heat;
  CopyTable copies;
  LackingBlocks lacking;
  Watchers watchers;
};

/// Aborts unless the tables agree with themselves and with each other.
void check_invariants(const State& state);

}  // namespace proffer::catalog
