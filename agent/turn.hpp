// A step of an agent, as its handlers see it.
#pragma once

#include <string>
#include <utility>

#include "agent/state.hpp"
#include "proffer/turn.hpp"

namespace proffer::agent {

/// The state, the time, and where actions go.
class Turn : public BaseTurn {
 public:
  Turn(State& of, Actions& into, Time at) : BaseTurn(into, at), state(of) {}

  State& state;

  void to_allocator(Message message) const {
    act(Send{kAllocatorPeer, state.allocator.session.wrap(std::move(message), now)});
  }
  /// Sends a message to the catalog, which there must be.
  void to_catalog(Message message) const {
    act(Send{kCatalogPeer, state.catalog.session->wrap(std::move(message), now)});
  }
  /// Notes a message that has no effect. `what`: its type, or how else a reader of the log will know it.
  void trace_refusal(std::string what, const Error& error) const {
    trace(MessageRefused{std::move(what), error.code, error.message});
  }
};

}  // namespace proffer::agent
