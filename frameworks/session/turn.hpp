// A step of a framework's session, as its handlers see it.
#pragma once

#include <utility>

#include "frameworks/session/state.hpp"
#include "proffer/turn.hpp"

namespace proffer::frameworks {

/// The state, the time, and where actions go.
class Turn : public BaseTurn {
 public:
  Turn(State& of, Actions& into, Time at) : BaseTurn(into, at), state(of) {}

  State& state;

  void to_allocator(Message message) const {
    act(Send{kAllocatorPeer, state.allocator.session.wrap(std::move(message), now)});
  }
  /// Greets the catalog first, on a new connection. The message follows at once: a session is the
  /// connection's, and its number need not be known.
  void to_catalog(Message message) const {
    if (!std::exchange(state.catalog.greeted, true)) send_to_catalog(CatalogHello{});
    send_to_catalog(std::move(message));
  }

 private:
  void send_to_catalog(Message message) const {
    act(Send{kCatalogPeer, Envelope{{}, {}, state.catalog.session, 0, std::move(message)}});
  }
};

}  // namespace proffer::frameworks
