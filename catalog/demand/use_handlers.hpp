// Frameworks that say how blocks were used, copies that end, and who is told of what came of them.
#pragma once

#include "catalog/state/catalog_state.hpp"
#include "catalog/state/outbox.hpp"

namespace proffer {

/// Whether replicas can come and go: where agents can be lost, or the catalog makes replicas of its own.
bool has_watchers(const CatalogConfig& config);
/// What frameworks should report; nothing where replicas never change. Who reports is told of changes.
UseWanted use_wanted(const CatalogConfig& config);

void handle(CatalogState& state, PeerId peer, const BlocksUsed& used, Outbox& out, Time now);
void handle(CatalogState& state, const MessageReceived& in, const CopyFailed& failed, Outbox& out, Time now);

/// An agent says that it holds the block now. False when no copy was under way there.
bool copy_arrived(CatalogState& state, AgentId agent, BlockId block, Outbox& out);
/// Copies to an agent that knows nothing of them any more come to nothing, and so do those of a block that
/// belongs to no file.
void forget_copies_to(CatalogState& state, AgentId agent, const char* why, Outbox& out);
void forget_block(CatalogState& state, BlockId block, Outbox& out);
/// Copies whose time is over are tried elsewhere.
void give_up_late_copies(CatalogState& state, Outbox& out, Time now);

void forget_silent_watchers(CatalogState& state, Time now);
/// The agent's replicas count from now on, or no longer.
void note_all_of(CatalogState& state, AgentId agent);
/// Tells frameworks of replicas that have come or gone, of what they have listed. At most so much in a beat,
/// where there are any: the rest follows.
void tell_watchers(CatalogState& state, Outbox& out);

}  // namespace proffer
