#include "agent/health_handlers.hpp"

namespace proffer {

void handle(AgentParts& state, const Probed& probed, Turn turn) { state.health.probed(probed.why, turn.now); }

void handle(AgentParts& state, const AgentHealth& repeated, Turn) { state.health.told(repeated.trouble); }

void tend_health(AgentParts& state, Turn turn) {
  auto& health = state.health;
  if (health.take_news()) turn.trace(AgentTrouble{state.id, health.trouble()});
  if (health.take_due_probe(turn.now)) turn.act(Probe{});
  if (state.allocator.open() && health.take_due_telling(turn.now)) {
    turn.to_allocator(state, AgentHealth{health.trouble()});
  }
}

}  // namespace proffer
