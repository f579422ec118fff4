// Clients that write a file: create it, then add, store and seal block after block, then complete it.
#pragma once

#include "catalog/state/catalog_state.hpp"
#include "catalog/state/outbox.hpp"

namespace proffer {

void handle(CatalogState& state, PeerId peer, const CreateFile& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const AddBlock& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const SealBlock& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const CompleteFile& request, Outbox& out, Time now);

/// Whoever wrote through this connection has lost it.
void lose_writer(CatalogState& state, PeerId peer, Time now);
/// Removes what such writers had begun and nobody has gone on with for long.
void remove_abandoned(CatalogState& state, Outbox& out, Time now);

}  // namespace proffer
