#include "sim/store_client.hpp"

#include <algorithm>
#include <utility>

namespace proffer::sim {
namespace {

constexpr Duration kGreetAgain = std::chrono::seconds(1);

}  // namespace

void StoreClient::step(const Event& event, Actions& actions, Time now) {
  if (std::holds_alternative<PeerLost>(event)) {
    session_.reset();
    writes_.catalog_lost(now);
  } else if (const auto* in = std::get_if<MessageReceived>(&event)) {
    if (std::holds_alternative<CatalogSession>(in->envelope.message)) session_ = in->envelope.session;
    writes_.answered(in->envelope.message, now);
  }
  if (!session_) return greet(actions, now);
  for (auto& request : writes_.take_requests(now)) send(actions, std::move(request));
}

void StoreClient::greet(Actions& actions, Time now) {
  if (!writes_.next_deadline() || greet_at_ > now) return;
  greet_at_ = now + kGreetAgain;
  send(actions, CatalogHello{});
}

std::optional<Time> StoreClient::next_deadline() const {
  const auto due = writes_.next_deadline();
  return due && !session_ ? std::max(*due, greet_at_) : due;
}

void StoreClient::send(Actions& actions, Message message) const {
  const auto session = session_.value_or(SessionId{});
  actions.push_back(Send{kCatalogPeer, Envelope{{}, {}, session, 0, std::move(message)}});
}

}  // namespace proffer::sim
