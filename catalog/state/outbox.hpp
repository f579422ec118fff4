// How handlers say what is to be done: actions in order, with complete envelopes.
#pragma once

#include <string>
#include <utility>

#include "catalog/tables/agent_table.hpp"
#include "proffer/machine.hpp"

namespace proffer {

class Outbox {
 public:
  Outbox(Actions& actions, ClusterId cluster, Epoch epoch)
      : actions_(actions), cluster_(cluster), epoch_(epoch) {}

  void persist(Persist change) { actions_.emplace_back(std::move(change)); }
  void trace(Trace trace) { actions_.emplace_back(Emit{std::move(trace)}); }
  void close(PeerId peer) { actions_.emplace_back(ClosePeer{peer}); }

  void welcome(PeerId client, SessionId session) {
    actions_.emplace_back(Send{client, {cluster_, epoch_, session, 0, CatalogSession{}}});
  }
  /// To a client. It knows by the request's number what is answered.
  void answer(PeerId peer, Message message) {
    actions_.emplace_back(Send{peer, {cluster_, epoch_, {}, 0, std::move(message)}});
  }
  void to_agent(AgentRecord& agent, Message message) {
    actions_.emplace_back(
        Send{agent.peer, {cluster_, epoch_, agent.session, ++agent.sent, std::move(message)}});
  }

  void done(PeerId peer, std::uint64_t request) { answer(peer, CatalogDone{request, {}}); }
  /// A request that failed.
  template <class Request>
  void refuse(PeerId peer, const Request& request, const Error& error) {
    trace(MessageRefused{std::string(type_name(request)), error.code, error.message});
    answer(peer, CatalogDone{request.request, error});
  }
  /// Any other message that has no effect.
  void refuse(const MessageReceived& in, const Error& error) {
    trace(MessageRefused{std::string(type_name(in.envelope.message)), error.code, error.message});
    answer(in.peer, ErrorMessage{error, in.envelope.seq});
  }

 private:
  Actions& actions_;
  ClusterId cluster_;
  Epoch epoch_;
};

}  // namespace proffer
