// Frameworks that say how blocks were used, copies that end, and who is told of what came of them.
#pragma once

#include "storage/catalog_state.hpp"
#include "storage/outbox.hpp"

namespace proffer {

/// What frameworks should report; nothing where replicas never change. Who reports is told of new replicas.
UseWanted use_wanted(const ReplicationConfig& config);

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

/// Tells frameworks of replicas that were made or are about to go.
void tell_watchers(CatalogState& state, Outbox& out);

}  // namespace proffer
