// What happens once a heartbeat: who is silent, who is waited for.
#pragma once

#include "catalog/state/catalog_state.hpp"
#include "catalog/state/outbox.hpp"

namespace proffer {

/// Sends a heartbeat to every agent, marks silent ones, and says again what seems to have been lost. All
/// timers of the catalog are judged here, so that they need no deadlines of their own.
void beat(CatalogState& state, Outbox& out, Time now);

}  // namespace proffer
