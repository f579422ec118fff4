// The state of agents and of the whole cluster, in words.
#pragma once

#include <string>

#include "proffer/messages/admin.hpp"

namespace proffer::cli {

/// Returns "up", "draining 3 tasks", "drained", "trouble", "silent", "awaited" or "unreachable"; the wish of
/// an operator and the reach where both are to be known: "drained, unreachable".
std::string state_of(const AgentState& agent);

/// Returns "up", or "away, 9m 12s left": the time until it is given up.
std::string state_of(const FrameworkState& framework);

/// Returns lines about what is not as usual: an allocator that waits for its agents, or suspects itself.
/// Empty: all is.
std::string warnings_of(const ClusterState& state);

}  // namespace proffer::cli
