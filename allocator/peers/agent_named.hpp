// The agent that an operator means, by name or id.
#pragma once

#include <string>

#include "allocator/tables/cluster_table.hpp"
#include "proffer/result.hpp"

namespace proffer::allocator {

/// Returns the agent. `not_found` with the nearest name; `agent_gone` for one that was declared gone;
/// `invalid` with the ids when several have the name.
Result<AgentRecord*> agent_named(ClusterTable& cluster, const std::string& text);

}  // namespace proffer::allocator
