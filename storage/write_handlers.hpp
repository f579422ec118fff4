// Clients that write a file: create it, then add, store and seal block after block, then complete it.
#pragma once

#include "storage/catalog_state.hpp"
#include "storage/outbox.hpp"

namespace proffer {

void handle(CatalogState& state, PeerId peer, const CreateFile& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const AddBlock& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const SealBlock& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const CompleteFile& request, Outbox& out, Time now);

}  // namespace proffer
