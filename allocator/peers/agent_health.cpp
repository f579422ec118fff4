#include "allocator/peers/agent_health.hpp"

#include "allocator/offers/offer_endings.hpp"

namespace proffer::allocator {

/// The same goes back, so that the agent need not tell it again.
void handle(const Turn& turn, AgentRecord& agent, const MessageReceived&, const AgentHealth& health) {
  note_trouble(turn, agent, health.trouble);
  turn.to_agent(agent, health);
}

void note_trouble(const Turn& turn, AgentRecord& agent, const std::string& why) {
  auto& state = turn.state;
  if (agent.service.trouble == why) return;
  auto next = agent.service;
  next.trouble = why;
  turn.trace(AgentTrouble{agent.info.id, next.why_not()});
  if (agent.service.trouble.empty()) rescind_all_on(turn, agent);
  state.cluster.set_trouble(agent, why);
  if (!agent.service.offerable()) return;
  for (const auto& slots : agent.slots) state.agenda.released.add(agent.index, slots.kind);
}

}  // namespace proffer::allocator
