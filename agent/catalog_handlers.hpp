// The conversation with the catalog: full reports that open a session, numbered changes, deletions,
// heartbeats. It is independent of the allocator's session, except that REGISTERED says where the catalog is
// and which id to report under.
#pragma once

#include <string>

#include "agent/agent_parts.hpp"

namespace proffer {

/// Begins anew with the catalog at `endpoint`. Empty: there is none.
void use_catalog(AgentParts& state, const std::string& endpoint);
void receive_from_catalog(AgentParts& state, const Envelope& envelope, Turn turn);
/// The session is void; a report will open another.
void lose_catalog(AgentParts& state, Turn turn);
/// Reports, tells of changes, or beats, when it is time.
void tend_catalog(AgentParts& state, Turn turn);
std::optional<Time> catalog_deadline(const AgentParts& state);

}  // namespace proffer
