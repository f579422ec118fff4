// Everything the catalog knows, as its handlers share it.
#pragma once

#include <cstdint>
#include <optional>

#include "proffer/random.hpp"
#include "proffer/storage/catalog.hpp"
#include "storage/agent_secrets.hpp"
#include "storage/agent_table.hpp"
#include "storage/client_table.hpp"
#include "storage/copy_table.hpp"
#include "storage/heat_table.hpp"
#include "storage/lacking.hpp"
#include "storage/name_table.hpp"
#include "storage/replica_table.hpp"
#include "storage/watchers.hpp"
#include "storage/writers.hpp"

namespace proffer {

struct CatalogState {
  CatalogConfig config;
  ClusterId cluster;
  Epoch epoch;
  NameTable names;
  AgentTable agents;
  ReplicaTable replicas;
  Random random;
  SecretSource secrets;
  std::uint64_t beat = 0;
  // Replication of hot blocks.
  HeatTable heat = {};
  CopyTable copies = {};
  Watchers watchers = {};
  LackingBlocks lacking = {};
  ClientTable clients = {};
  AgentSecrets agent_secrets = {};
  StoreRoom disk = {};   // on which names are kept
  Writers writers = {};  // of the files in `names` that are not complete

  /// Some agents that hold its files may not have come back yet.
  std::optional<Time> settled_at = {};  // none: it had no files at its start, or has not been asked anything
  bool is_settling(Time now) const { return settled_at && now < *settled_at; }
};

}  // namespace proffer
