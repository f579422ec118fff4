// Agents that say what they hold: full reports in pages, then numbered changes, heartbeats in between.
#pragma once

#include "catalog/state/catalog_state.hpp"
#include "catalog/state/outbox.hpp"

namespace proffer {

void handle(CatalogState& state, const MessageReceived& in, const BlockReport& page, Outbox& out, Time now);
void handle(CatalogState& state, const MessageReceived& in, const BlocksChanged& changed, Outbox& out,
            Time now);
void handle(CatalogState& state, const MessageReceived& in, const Heartbeat& beat, Outbox& out, Time now);

/// Its changes have a gap, or its report has not come: have it start again.
void ask_for_report(AgentRecord& agent, Outbox& out, Time now);

/// The connection is gone, and with it the agent, if it was one's.
void handle(CatalogState& state, const PeerLost& lost, Outbox& out);

}  // namespace proffer
