// Clients come: whoever asks the catalog for something has a session, and gets the store's token within one
// only.
#pragma once

#include "catalog/state/catalog_state.hpp"
#include "catalog/state/outbox.hpp"

namespace proffer {

void handle(CatalogState& state, const MessageReceived& in, const CatalogHello&, Outbox& out, Time now);

}  // namespace proffer
