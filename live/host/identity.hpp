// The identity of a daemon over its restarts.
#pragma once

#include <cstdint>

#include "live/host/state_dir.hpp"
#include "proffer/ids.hpp"

namespace proffer::live {

struct Identity {
  ClusterId cluster;
  Epoch epoch;
};

/// Returns a new cluster at epoch 1, for a daemon without a folder.
Identity fresh_identity();
/// Returns the cluster of that folder (minted at the first start), and one epoch more than at its last start.
/// Durable when it returns. `corrupt`, `version` or `io`.
Result<Identity> next_identity(const StateDir& dir);

/// The agent that a folder belongs to, and how often it has been started.
struct AgentStart {
  AgentId id;
  std::uint64_t run = 0;
  Secret secret;          // proof of the id for the allocator
  Secret catalog_secret;  // proof of the id for the catalog
};
/// Returns the agent of that folder; `run` is +1 per call, from 1. Durable when it returns. The id and its
/// secrets are minted together at the first start, so that there is no moment in which a server knows the id
/// and the folder not its secret.
Result<AgentStart> next_start(const StateDir& dir);

/// Returns the store's token: minted once, then the same for ever.
Result<std::string> kept_token(const StateDir& dir);

}  // namespace proffer::live
