// Replicas that the catalog wants here, from its word to the disk's.
#pragma once

#include "agent/turn.hpp"

namespace proffer::agent {

void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const CopyBlock& copy);

void handle(const Turn& turn, const BlockStored& stored);
void handle(const Turn& turn, const BlockVanished& vanished);
void handle(const Turn& turn, const BlockNotFetched& failed);

}  // namespace proffer::agent
