// What a handler gets: the state, where to put actions, and the time.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allocator/state/allocator_state.hpp"
#include "proffer/machine.hpp"

namespace proffer::allocator {

/// Handlers' only way to have an effect: actions in order, with complete envelopes. `now` has stood still
/// while the process did not run, see liveness.hpp.
class Turn {
 public:
  Turn(AllocatorState& of, Actions& into, Time at) : state(of), now(at), actions_(into) {}

  AllocatorState& state;
  const Time now;

  void trace(Trace trace) const { actions_.emplace_back(Emit{std::move(trace)}); }
  void close(PeerId peer) const { actions_.emplace_back(ClosePeer{peer}); }
  void send(Session& session, Message message) const {
    actions_.emplace_back(Send{session.peer, envelope(session.id, ++session.sent, std::move(message))});
  }
  /// Nothing when it has no session.
  void to_agent(AgentRecord& agent, Message message) const {
    if (agent.session) send(*agent.session, std::move(message));
  }
  void to_framework(FrameworkRecord& framework, Message message) const {
    if (framework.session) send(*framework.session, std::move(message));
  }
  /// To somebody without a session.
  void answer(PeerId peer, Message message) const {
    actions_.emplace_back(Send{peer, envelope({}, 0, std::move(message))});
  }
  void read_pools(PeerId peer, std::uint64_t request) const {
    actions_.emplace_back(ReadPools{peer, request});
  }
  /// See KeepPools.
  void keep_pools(std::optional<std::vector<AllocatorPool>> pools) const {
    actions_.emplace_back(KeepPools{std::move(pools)});
  }
  /// A message that has no effect. The answer names the session that the sender meant, so that one which has
  /// a newer session is not troubled by it.
  void refuse(const MessageReceived& in, Error error) const {
    trace(MessageRefused{std::string(type_name(in.envelope.message)), error.code, error.message});
    const auto about = in.envelope.seq;
    actions_.emplace_back(
        Send{in.peer, envelope(in.envelope.session, 0, ErrorMessage{std::move(error), about})});
  }

 private:
  Envelope envelope(SessionId session, std::uint64_t seq, Message message) const {
    return {state.cluster_id, state.epoch, session, seq, std::move(message)};
  }
  Actions& actions_;
};

}  // namespace proffer::allocator
