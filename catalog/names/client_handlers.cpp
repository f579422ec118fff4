#include "catalog/names/client_handlers.hpp"

namespace proffer::catalog {

void handle(const Turn& turn, const MessageReceived& in, const CatalogHello&) {
  turn.welcome(in.peer, turn.state.clients.open(in.peer, turn.state.secrets.session()));
}

}  // namespace proffer::catalog
