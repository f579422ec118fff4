#include "catalog/agents/liveness.hpp"

#include "catalog/agents/agent_handlers.hpp"
#include "catalog/demand/watching.hpp"
#include "catalog/state/deletions.hpp"

namespace proffer::catalog {
namespace {

void mark_silent_agents(const Turn& turn) {
  auto& state = turn.state;
  for (const auto agent : state.agents.fall_silent(state.config.agent_silent_after, turn.now)) {
    state.lacking.request_scan();
    note_replicas_of(turn, agent);
    turn.trace(AgentLost{agent, "silent"});
  }
}

void send_heartbeats(const Turn& turn) {
  auto& state = turn.state;
  ++state.heartbeats;
  for (auto& [id, agent] : state.agents.all()) {
    turn.to_agent(agent, Heartbeat{state.heartbeats, {}});
    if (agent.ask_again && *agent.ask_again <= turn.now) ask_for_report(turn, agent);
    if (agent.delete_again && *agent.delete_again <= turn.now) resend_deletions(turn, agent);
  }
}

void beat(const Turn& turn) {
  mark_silent_agents(turn);
  if (turn.state.replicas.expire_plans(turn.now)) turn.state.lacking.request_scan();
  forget_silent_watchers(turn);
  turn.state.watchers.begin_beat();
  send_heartbeats(turn);
}

}  // namespace

void notice_pause(const Turn& turn) {
  auto& state = turn.state;
  const auto gap = state.pauses.step(turn.now, 2 * state.config.heartbeat);
  // Steps are taken at regular times only where there are heartbeats: else a long gap is no pause.
  if (state.timers.heartbeat) state.agents.forgive(gap);
}

void keep_heartbeats(const Turn& turn) {
  const auto pause = turn.state.config.heartbeat;
  auto& next = turn.state.timers.heartbeat;
  if (next && *next <= turn.now) {
    beat(turn);
    next = turn.now + pause;
  }
  const bool beats = pause > Duration::zero() && !turn.state.agents.all().empty();
  if (!beats) next.reset();
  if (beats && !next) next = turn.now + pause;
}

}  // namespace proffer::catalog
