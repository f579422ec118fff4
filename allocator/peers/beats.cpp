#include "allocator/peers/beats.hpp"

#include <algorithm>

#include "allocator/offers/offer_endings.hpp"
#include "allocator/offers/offer_handlers.hpp"
#include "allocator/peers/agent_loss.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

/// Returns whether a REVIVE did not arrive that was sent before the heartbeat.
bool any_revive_lost(const FrameworkRecord& framework, const Heartbeat& beat) {
  return beat.revives > framework.incumbent.revives;
}

/// Does what a lost REVIVE would have done; of which kinds it was nobody knows.
void make_up_for_revive(const Turn& turn, FrameworkRecord& framework, const Heartbeat& beat) {
  framework.incumbent.revives = beat.revives;
  framework.demand.revive({});
  sync_demand(turn, framework);
  for (const auto kind : turn.state.shares.kinds()) revive(turn, framework, kind);
}

bool wants(const Heartbeat& beat, Kind kind) {
  if (!beat.demand) return false;
  const auto wanted = beat.demand->kinds.find(kind);
  return wanted != beat.demand->kinds.end() && wanted->second > 0;
}

/// Does what a lost SUPPRESS would have done. Suppression that the beat does not mention is not lifted: a
/// REVIVE or a demand does that.
void make_up_for_suppress(const Turn& turn, FrameworkRecord& framework, const Heartbeat& beat) {
  std::vector<Kind> lost;
  for (const auto kind : beat.suppressed) {
    if (!wants(beat, kind) && framework.demand.effective(kind) != 0) lost.push_back(kind);
  }
  const bool all_lost = beat.all_suppressed && !framework.demand.all_suppressed();
  if (!all_lost && lost.empty()) return;
  if (all_lost) lost.clear();  // all kinds
  framework.demand.suppress(lost);
  sync_demand(turn, framework);
  rescind_all_of(turn, framework, lost);
}

/// Returns whether a framework has not acknowledged a status of a task there: the agent sends no further one
/// before, so the task may have ended without a word.
bool awaits_acknowledgements(const State& state, const AgentRecord& agent) {
  return std::any_of(agent.tasks.begin(), agent.tasks.end(), [&state](LaunchId launch) {
    const auto& task = *state.tasks.find(launch);
    return task.owed && task.owed_seq > 0 && !task.ended();
  });
}

}  // namespace

void handle(const Turn& turn, AgentRecord& agent, const MessageReceived& in, const Heartbeat& beat) {
  if (!beat.tasks) return;
  const bool same = *beat.tasks == agent.view.tasks;
  if (!same && awaits_acknowledgements(turn.state, agent))
    return;  // a look at each task, but in this case alone
  if (!agent.view.differs(*beat.tasks, turn.now)) return;
  turn.refuse(in,
              {ErrorCode::unknown_session, "the tasks of agent '" + agent.info.name +
                                               "' are not those that are known here: it has to list them"});
  lose_peer(turn, in.peer);
}

void handle(const Turn& turn, FrameworkRecord& framework, const MessageReceived& in, const Heartbeat& beat) {
  if (beat.suppressed.size() > limits::kKinds) {
    return turn.refuse(in, {ErrorCode::invalid, "too many kinds"});
  }
  if (beat.demand) {
    if (auto error = refuse_demand(framework.demand, *beat.demand)) return turn.refuse(in, std::move(*error));
  }
  if (any_revive_lost(framework, beat)) make_up_for_revive(turn, framework, beat);
  make_up_for_suppress(turn, framework, beat);
  // The demand last: one above 0 ends the suppression of its kind.
  if (beat.demand) declare(turn, framework, *beat.demand);
}

bool beat(const Turn& turn) {
  auto& state = turn.state;
  if (!state.peer_timers.next_beat || *state.peer_timers.next_beat > turn.now) return false;
  const auto number = ++state.peer_timers.beats;
  for (const auto& [id, index] : state.cluster.in_order()) {
    auto& agent = state.cluster[index];
    if (agent.contact.session) turn.to_agent(agent, Heartbeat{number, {}, agent.view.tasks});
  }
  for (const auto& [id, index] : state.frameworks.in_order()) {
    auto& framework = state.frameworks[index];
    if (!framework.connected()) continue;
    // While agents are away of whose tasks nothing is known, the sum would be wrong.
    const bool known = state.recovery.missing == 0;
    turn.to_framework(framework,
                      Heartbeat{number, {}, known ? std::optional(framework.living) : std::nullopt});
  }
  state.peer_timers.next_beat.reset();
  if (state.peers.size() > 0) state.peer_timers.next_beat = turn.now + state.config.heartbeat;
  return true;
}

}  // namespace proffer::allocator
