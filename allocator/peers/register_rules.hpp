// Rules for REGISTER: it is well-formed, and means one agent. Pure.
#pragma once

#include <optional>

#include "allocator/tables/cluster_table.hpp"
#include "proffer/messages/agent.hpp"
#include "proffer/result.hpp"

namespace proffer::allocator {

/// Refuses a REGISTER that is malformed.
std::optional<Error> refuse_register(const Register& message);

/// The agent that a REGISTER comes from. Both null: a new one.
struct Registrant {
  AgentRecord* known = nullptr;     ///< the agent that registers again
  AgentRecord* replaced = nullptr;  ///< an agent of the same name that is silent; this one takes the name
};
/// `agent_gone` for an id that an operator has retired; `refused` for a known id without its secret;
/// `name_in_use` when an agent of that name lives, or a newer start of the same agent, or this start through
/// another connection.
Result<Registrant> identify(ClusterTable& cluster, const Register& message, PeerId peer);

}  // namespace proffer::allocator
