// Whether a REGISTER is well-formed, and which agent it means. Pure.
#pragma once

#include <optional>

#include "allocator/tables/cluster_table.hpp"
#include "proffer/messages/agent.hpp"
#include "proffer/result.hpp"

namespace proffer::allocator {

std::optional<Error> refuse_register(const Register& message);

/// Whom a REGISTER comes from.
struct Registrant {
  AgentRecord* known = nullptr;     ///< it is this one, again
  AgentRecord* replaced = nullptr;  ///< it is a new one, and this one of its name is gone
};
/// `refused` for a known id without its secret; `name_in_use` when an agent of that name lives, or a newer
/// start of the same agent, or this start through another connection.
Result<Registrant> identify(ClusterTable& cluster, const Register& message, PeerId peer);

}  // namespace proffer::allocator
