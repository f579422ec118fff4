#include "catalog/names/client_handlers.hpp"

namespace proffer::catalog {

void handle(const Turn& turn, const MessageReceived& in, const CatalogHello&) {
  auto& state = turn.state;
  turn.welcome(in.peer, state.clients.open(in.peer, state.secrets.session(), turn.now));
}

}  // namespace proffer::catalog
