#include "catalog/agents/liveness.hpp"

#include "catalog/agents/agent_handlers.hpp"
#include "catalog/demand/use_handlers.hpp"
#include "catalog/state/deletions.hpp"

namespace proffer {

void beat(CatalogState& state, Outbox& out, Time now) {
  for (const auto agent : state.agents.fall_silent(state.config.agent_silent_after, now)) {
    state.lacking.disturbed();
    note_all_of(state, agent);
    out.trace(AgentLost{agent, "silent"});
  }
  if (state.replicas.expire_plans(now)) state.lacking.disturbed();
  ++state.beat;
  forget_silent_watchers(state, now);
  state.watchers.new_beat();
  for (auto& [id, agent] : state.agents.all()) {
    out.to_agent(agent, Heartbeat{state.beat, {}});
    if (agent.ask_again && *agent.ask_again <= now) ask_for_report(agent, out, now);
    if (agent.delete_again && *agent.delete_again <= now) tell_condemned(state, agent, out, now);
  }
}

}  // namespace proffer
