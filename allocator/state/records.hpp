// Records of the allocator: who may come back after its restarts, and under which secret.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

KeptFramework record_of(const FrameworkRecord& framework);
KeptAgent record_of(const AgentRecord& agent);

/// Keeps what has to be known of it after a restart. To be called before anybody is told of the change.
void keep(const Turn& turn, const FrameworkRecord& framework);
void keep(const Turn& turn, const AgentRecord& agent);
/// Forgets it for good: after a restart its id is unknown.
void drop(const Turn& turn, const FrameworkRecord& framework);
void drop(const Turn& turn, const AgentRecord& agent);

}  // namespace proffer::allocator
