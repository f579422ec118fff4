#include "agent/health_handlers.hpp"

namespace proffer::agent {

void handle(const Turn& turn, const Probed& probed) { turn.state.health.probed(probed.why, turn.now); }

void handle(const Turn& turn, const StoreRoom& room) { turn.state.health.store_has(room); }

void handle(const Turn& turn, const MessageReceived&, const AgentHealth& repeated) {
  turn.state.health.told(repeated.trouble);
}

void tend_health(const Turn& turn) {
  auto& health = turn.state.health;
  if (health.take_news()) turn.trace(AgentTrouble{turn.state.identity.id, health.trouble()});
  if (health.take_due_probe(turn.now)) turn.act(Probe{});
  if (turn.state.allocator.session.open() && health.take_due_telling(turn.now)) {
    turn.to_allocator(AgentHealth{health.trouble()});
  }
}

}  // namespace proffer::agent
