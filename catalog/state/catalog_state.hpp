// Everything the catalog knows, as its handlers share it.
#pragma once

#include <cstdint>
#include <optional>

#include "catalog/tables/agent_secrets.hpp"
#include "catalog/tables/agent_table.hpp"
#include "catalog/tables/client_table.hpp"
#include "catalog/tables/copy_table.hpp"
#include "catalog/tables/heat_table.hpp"
#include "catalog/tables/lacking.hpp"
#include "catalog/tables/name_table.hpp"
#include "catalog/tables/replica_table.hpp"
#include "catalog/tables/watchers.hpp"
#include "catalog/tables/writers.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/random.hpp"

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
