// One step of the allocator, as its handlers see it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocator/state/state.hpp"
#include "proffer/turn.hpp"

namespace proffer::allocator {

/// Adds the state, and messages with complete envelopes. `now` is own time: it stands still while this
/// process does not run (OwnTime).
class Turn : public BaseTurn {
 public:
  Turn(State& of, Actions& into, Time at) : BaseTurn(into, at), state(of) {}

  State& state;

  /// Writes a line of the event log. Counters are derived from it.
  void trace(Trace trace) const {
    state.frameworks.count(trace);
    BaseTurn::trace(std::move(trace));
  }
  /// Sends nothing when the agent has no session.
  void to_agent(AgentRecord& agent, Message message) const { send(agent.contact, std::move(message)); }
  /// Sends nothing when the framework has no session.
  void to_framework(FrameworkRecord& framework, Message message) const {
    send(framework.contact, std::move(message));
  }
  /// Sends the status that the framework is owed. One whose queue is full gets none: it stays owed, and is
  /// sent with all others once there is room.
  void update(FrameworkRecord& framework, const TaskRecord& task) const {
    if (framework.contact.lag != Lag::full) to_framework(framework, Update{*task.owed});
  }
  /// Sends to a peer outside of sessions: an operator, or one who asks.
  void answer(PeerId peer, Message message) const {
    act(Send{peer, state.identity.server.wrap(std::move(message))});
  }
  void read_pools(PeerId peer, std::uint64_t request) const { act(ReadPools{peer, request}); }
  /// See KeepPools.
  void keep_pools(std::optional<std::vector<AllocatorPool>> pools) const { act(KeepPools{std::move(pools)}); }
  /// Answers a message that has no effect. The answer names the session that the sender meant, so that a
  /// sender which has a newer session by now is not troubled by it.
  void refuse(const MessageReceived& in, Error error) const {
    trace(MessageRefused{std::string(type_name(in.envelope.message)), error.code, error.message});
    const ErrorMessage answer{std::move(error), in.envelope.seq};
    act(Send{in.peer, state.identity.server.wrap(answer, in.envelope.session)});
  }

 private:
  void send(Contact& contact, Message message) const {
    if (!contact.session) return;
    act(Send{contact.session->peer(), contact.session->wrap(state.identity.server, std::move(message))});
  }
};

}  // namespace proffer::allocator
