// Who a daemon is over its restarts.
#pragma once

#include <cstdint>

#include "live/host/state_dir.hpp"
#include "proffer/ids.hpp"

namespace proffer::live {

struct Identity {
  ClusterId cluster;
  Epoch epoch;
};

/// Without a folder: a new cluster at epoch 1.
Identity fresh_identity();
/// The cluster of that folder (minted at the first start), and one epoch more than at its last start. Durable
/// when it returns. `corrupt`, `version` or `io`.
Result<Identity> next_identity(const StateDir& dir);

/// Which agent this folder belongs to, and how often it has been started.
struct AgentStart {
  AgentId id;
  std::uint64_t run = 0;
  Secret secret;          // what the id is shown with to the allocator,
  Secret catalog_secret;  // and to the catalog
};
/// The id and its secrets are minted at the first start, so that there is no moment in which a server knows
/// the id and the folder not its secret; `run` is +1 per call, from 1. Durable when it returns.
Result<AgentStart> next_start(const StateDir& dir);

/// The store's token: minted once, then the same for ever.
Result<std::string> kept_token(const StateDir& dir);

}  // namespace proffer::live
