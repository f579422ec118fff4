#include "catalog/names/client_handlers.hpp"

namespace proffer {

void handle(CatalogState& state, const MessageReceived& in, const CatalogHello&, Outbox& out, Time) {
  out.welcome(in.peer, state.clients.open(in.peer, state.secrets.session()));
}

}  // namespace proffer
