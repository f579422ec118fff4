#include "allocator/peers/goodbyes.hpp"

#include "allocator/offers/offer_endings.hpp"
#include "allocator/peers/agent_loss.hpp"
#include "allocator/peers/framework_removal.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, AgentRecord&, const MessageReceived& in, const Bye&) {
  lose_peer(turn, in.peer);
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived&, const Bye& bye) {
  end_session(turn, framework, bye.why.empty() ? "it has said goodbye" : "it has said goodbye: " + bye.why);
}

void handle(const Turn& turn, const Stopping&) {
  auto& state = turn.state;
  state.agenda.over = true;  // first: what is taken back must not be offered again
  state.agenda.next.reset();
  state.peer_timers.next_beat.reset();
  for (const auto& [id, index] : state.cluster.in_order()) rescind_all_on(turn, state.cluster[index]);
  const Bye bye{"the allocator is stopped, and means to come back"};
  for (const auto& [id, index] : state.frameworks.in_order()) turn.to_framework(state.frameworks[index], bye);
  for (const auto& [id, index] : state.cluster.in_order()) turn.to_agent(state.cluster[index], bye);
}

}  // namespace proffer::allocator
