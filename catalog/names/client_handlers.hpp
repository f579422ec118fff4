// Clients that open a session: frameworks, workers, the commands of the store. Requests are answered, and the
// store's token is given, within a session only.
#pragma once

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

/// Opens the connection's session. A hello that is repeated gets the session that the connection has.
void handle(const Turn& turn, const MessageReceived& in, const CatalogHello& hello);

}  // namespace proffer::catalog
