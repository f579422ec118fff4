// One step of the catalog: its state, the time, and how its handlers reach agents, clients and the disk.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "catalog/state/state.hpp"
#include "proffer/turn.hpp"

namespace proffer::catalog {

class Turn : public BaseTurn {
 public:
  Turn(State& catalog_state, Actions& into, Time at) : BaseTurn(into, at), state(catalog_state) {}

  State& state;

  void persist(Persist change) const { act(std::move(change)); }

  void welcome(PeerId client, SessionId session) const {
    act(Send{client, state.server.wrap(CatalogSession{}, session)});
  }
  void bye(PeerId client, SessionId session, Bye bye) const {
    act(Send{client, state.server.wrap(std::move(bye), session)});
  }
  /// Sends to a client, which knows by the request's number what is answered.
  void answer(PeerId client, Message message) const {
    act(Send{client, state.server.wrap(std::move(message))});
  }
  void to_agent(AgentRecord& agent, Message message) const {
    act(Send{agent.session.peer(), agent.session.wrap(state.server, std::move(message))});
  }

  /// Answers that the request has been carried out.
  template <class Request>
  void done(const MessageReceived& in, const Request& request) const {
    answer(in.peer, CatalogDone{request.request, {}});
  }
  /// Answers a client's request that has failed.
  template <class Request>
  void refuse(const MessageReceived& in, const Request& request, const Error& error) const {
    trace(MessageRefused{std::string(type_name(request)), error.code, error.message});
    answer(in.peer, CatalogDone{request.request, error});
  }
  /// Answers any other message that has no effect.
  void refuse(const MessageReceived& in, const Error& error) const {
    trace(MessageRefused{std::string(type_name(in.envelope.message)), error.code, error.message});
    answer(in.peer, ErrorMessage{error, in.envelope.seq});
  }
};

}  // namespace proffer::catalog
