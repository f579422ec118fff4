// Clients that look at names, or change them: list, rename, remove.
#pragma once

#include <string>
#include <vector>

#include "catalog/state/catalog_state.hpp"
#include "catalog/state/deletions.hpp"
#include "catalog/state/outbox.hpp"

namespace proffer {

void handle(CatalogState& state, PeerId peer, const ListFiles& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const RenameFiles& request, Outbox& out, Time now);
void handle(CatalogState& state, PeerId peer, const RemoveFiles& request, Outbox& out, Time now);
/// These files go, with all their blocks.
void remove_files(CatalogState& state, const std::vector<std::string>& paths, Deletions& deletions,
                  Outbox& out);

}  // namespace proffer
