#include "allocator/peers/liveness.hpp"

#include "allocator/peers/agent_loss.hpp"
#include "allocator/peers/framework_removal.hpp"

namespace proffer::allocator {

namespace {

/// An agent that has been unreachable for so long is forgotten, unless it still has tasks.
constexpr Duration kForgottenAfter = std::chrono::hours(24);

bool beats(const State& state) { return state.config.heartbeat > Duration::zero(); }

void start_beating(const Turn& turn) {
  auto& next = turn.state.peer_timers.next_beat;
  if (beats(turn.state) && !next) next = turn.now + turn.state.config.heartbeat;
}

/// Returns the silence after which an agent is one step farther away than it is.
Duration next_limit(const AllocatorConfig& config, Reach reach) {
  if (reach == Reach::live) return config.suspect_after;
  return reach == Reach::suspect ? config.disconnected_after : config.unreachable_after;
}

void schedule(const Turn& turn, AgentRecord& agent) {
  agent.contact.check_silence_at.reset();
  if (!beats(turn.state)) return;
  agent.contact.check_silence_at = agent.reach == Reach::unreachable
                                       ? turn.now + kForgottenAfter
                                       : agent.contact.heard + next_limit(turn.state.config, agent.reach);
  turn.state.peer_timers.agents.push(*agent.contact.check_silence_at, agent.index);
}

void step_away(const Turn& turn, AgentRecord& agent) {
  if (agent.reach == Reach::live) {
    suspect(turn, agent);
  } else if (agent.reach == Reach::suspect) {
    disconnect(turn, agent);
  } else {
    lose_reach(turn, agent);
  }
}

auto watched_agents(const State& state) {
  return [&state](Time at, AgentIndex agent) {
    return state.cluster.has(agent) && state.cluster[agent].contact.check_silence_at == at;
  };
}

auto watched_frameworks(State& state) {
  return [&state](Time at, FrameworkIndex index) {
    const auto* framework = state.frameworks.find(index);
    return framework != nullptr && framework->contact.session && framework->contact.check_silence_at == at;
  };
}

}  // namespace

void watch(const Turn& turn, AgentRecord& agent) {
  schedule(turn, agent);
  start_beating(turn);
}

void watch(const Turn& turn, FrameworkRecord& framework) {
  if (!beats(turn.state)) return;
  framework.contact.check_silence_at = framework.contact.heard + turn.state.config.disconnected_after;
  turn.state.peer_timers.frameworks.push(*framework.contact.check_silence_at, framework.index);
  start_beating(turn);
}

void heard(const Turn& turn, AgentRecord& agent) {
  agent.contact.note_sign_of_life(turn.now);
  if (agent.reach == Reach::live) return;
  find_again(turn, agent);
  schedule(turn, agent);
}

void heard(const Turn& turn, FrameworkRecord& framework) { framework.contact.note_sign_of_life(turn.now); }

/// Deadlines are not moved with each message: one that comes finds out whether it is still silence.
bool judge_agent(const Turn& turn) {
  auto& state = turn.state;
  const auto due = state.peer_timers.agents.pop_due(turn.now, watched_agents(state));
  if (!due) return false;
  auto& agent = state.cluster[*due];
  if (agent.reach == Reach::unreachable && agent.tasks.empty() && agent.past.back) {
    remove_agent(turn, agent, "silent for long");
    return true;
  }
  if (agent.reach != Reach::unreachable &&
      turn.now - agent.contact.heard >= next_limit(state.config, agent.reach))
    step_away(turn, agent);
  schedule(turn, agent);
  return true;
}

bool judge_framework(const Turn& turn) {
  auto& state = turn.state;
  const auto due = state.peer_timers.frameworks.pop_due(turn.now, watched_frameworks(state));
  if (!due) return false;
  auto& framework = state.frameworks[*due];
  if (turn.now - framework.contact.heard < state.config.disconnected_after) {
    watch(turn, framework);
  } else {
    turn.close(framework.contact.session->peer());  // while the session names the connection
    end_session(turn, framework, "silent");
  }
  return true;
}

void settle_agent_silence(State& state) { state.peer_timers.agents.settle(watched_agents(state)); }

void settle_framework_silence(State& state) {
  state.peer_timers.frameworks.settle(watched_frameworks(state));
}

}  // namespace proffer::allocator
