// Frameworks that are told when replicas of the blocks that they read come and go.
#pragma once

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

/// Returns whether replicas can come and go: where agents can be lost, or the catalog makes replicas of its
/// own.
bool has_watchers(const CatalogConfig& config);
/// Returns what frameworks should report; nothing where replicas never change. A framework that reports is
/// told of changes.
UseWanted use_wanted(const CatalogConfig& config);

/// Notes all replicas of an agent as changed: they count from now on, or no longer.
void note_replicas_of(const Turn& turn, AgentId agent);
/// Sends frameworks the replicas that have come or gone, of blocks that they have listed. Where there are
/// heartbeats, each gets so much between two of them at most; the rest follows after the next.
void send_replica_changes(const Turn& turn);

void forget_silent_watchers(const Turn& turn);
void lose_watcher(const Turn& turn, PeerId peer);

}  // namespace proffer::catalog
