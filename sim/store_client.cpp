#include "sim/store_client.hpp"

#include <utility>

namespace proffer::sim {

void StoreClient::step(const Event& event, Actions& actions, Time now) {
  if (std::holds_alternative<PeerLost>(event)) {
    greeted_ = false;
    session_ = {};
    writes_.catalog_lost(now);
  } else if (const auto* in = std::get_if<MessageReceived>(&event)) {
    if (std::holds_alternative<CatalogSession>(in->envelope.message)) session_ = in->envelope.session;
    writes_.answered(in->envelope.message, now);
  }
  for (auto& request : writes_.take_requests(now)) {
    if (!std::exchange(greeted_, true)) send(actions, CatalogHello{});
    send(actions, std::move(request));
  }
}

void StoreClient::send(Actions& actions, Message message) const {
  actions.push_back(Send{kCatalogPeer, Envelope{{}, {}, session_, 0, std::move(message)}});
}

}  // namespace proffer::sim
