// Clients that look at names, or change them: list, rename, remove.
#pragma once

#include "storage/catalog_state.hpp"
#include "storage/outbox.hpp"

namespace proffer {

void handle(CatalogState& state, PeerId peer, const ListFiles& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const RenameFiles& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const RemoveFiles& request, Outbox& out, Time now);

}  // namespace proffer
