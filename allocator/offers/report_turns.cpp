#include "allocator/offers/report_turns.hpp"

namespace proffer::allocator {
namespace {

auto wanted_reports(const State& state) {
  return [&state](Time at, AgentIndex agent) {
    return state.cluster.has(agent) && state.cluster[agent].report_at == at;
  };
}

void schedule(const Turn& turn, AgentRecord& agent, Time at) {
  agent.report_at = at;
  turn.state.peer_timers.reports.push(at, agent.index);
}

}  // namespace

void start_reports(const Turn& turn, AgentRecord& agent) {
  auto& state = turn.state;
  const auto period = state.config.report_period;
  if (period <= Duration::zero()) return;
  // Closed at once: the pass that follows the REGISTER must not offer them all together.
  for (auto& slots : agent.slots) state.cluster.close(agent, slots);
  const auto phase = state.identity.random.below(static_cast<std::uint64_t>(period.count()));
  schedule(turn, agent, turn.now + Duration(static_cast<std::int64_t>(phase)));
}

bool report_one(const Turn& turn) {
  auto& state = turn.state;
  const auto due = state.peer_timers.reports.pop_due(turn.now, wanted_reports(state));
  if (!due) return false;
  auto& agent = state.cluster[*due];
  for (auto& slots : agent.slots) {
    for (auto& lot : slots.free) lot.fresh = true;  // each report is an opportunity of its own
    state.cluster.open(agent, slots);
    state.agenda.released.add(agent.index, slots.kind);
  }
  schedule(turn, agent, turn.now + state.config.report_period);
  return true;
}

void settle_reports(State& state) { state.peer_timers.reports.settle(wanted_reports(state)); }

}  // namespace proffer::allocator
