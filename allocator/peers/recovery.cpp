#include "allocator/peers/recovery.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "allocator/state/records.hpp"
#include "proffer/names.hpp"

namespace proffer::allocator {
namespace {

/// Returns the pool of a framework that was kept: the configuration may have other pools by now.
const std::string& pool_for(const State& state, const KeptFramework& kept) {
  const auto& tree = state.shares.tree();
  if (tree.has_pool(kept.pool)) return kept.pool;
  return tree.has_pool(kept.asked) ? kept.asked : state.config.default_pool;
}

void enter(State& state, const KeptFramework& kept) {
  const auto priority = priority_named(kept.priority).value_or(Priority::normal);
  const auto& pool = pool_for(state, kept);
  auto& framework =
      state.frameworks.add(kept.id, state.shares.add(pool, kept.name, kept.user, priority), PeerId{});
  framework.secret = kept.secret;
  framework.name = kept.name;
  framework.user = kept.user;
  framework.priority = priority;
  framework.place = {pool, kept.asked, state.eligibility.class_of(pool)};
  framework.failover.timeout = kept.failover_timeout;
  framework.failover.give_up_at = Time::max();  // until begin_recovery()
  framework.incumbent.epoch = kept.epoch;
  framework.incumbent.instance = kept.instance;
}

void enter(State& state, const KeptAgent& kept) {
  auto& agent = state.cluster.add(kept.info, PeerId{});
  agent.past = {kept.run, kept.secret, false, !kept.unreachable};
  agent.wish = kept.wish;
  state.cluster.set_reach(agent, Reach::unreachable);
  ++state.recovery.missing;
  if (agent.past.awaited) ++state.recovery.awaited;
}

/// An allocator keeps no other records.
template <class Other>
void enter(State&, const Other&) {}

void enter(State& state, const RetiredAgent& kept) { state.cluster.retire(kept.id); }

void start_failover_clock(const Turn& turn, FrameworkRecord& framework) {
  const auto& config = turn.state.config;
  // A framework without a failover timeout has not died with the allocator, and gets the time in which agents
  // may come back: an end of the allocator ends no task.
  const auto patience = std::max(framework.failover.timeout, config.reregister_window);
  framework.failover.give_up_at = turn.now + patience;
  turn.state.peer_timers.give_ups.push(*framework.failover.give_up_at, framework.id);
  turn.trace(
      FrameworkAdded{framework.id, framework.user, std::string(enum_name(kPriorities, framework.priority))});
}

void give_up_waiting(const Turn& turn) {
  auto& state = turn.state;
  for (const auto& [id, index] : state.cluster.in_order()) {
    auto& agent = state.cluster[index];
    if (!agent.past.awaited) continue;
    agent.past.awaited = false;
    keep(turn, agent);
    turn.trace(AgentLost{agent.info.id, "it has not come back since the allocator was started"});
  }
  state.recovery.awaited = 0;
}

void end_if_all_are_back(Recovery& recovery) {
  if (recovery.awaited > 0) return;
  recovery.hold_until.reset();
  recovery.window_until.reset();
}

}  // namespace

void take_over(State& state, const std::vector<Kept>& kept) {
  for (const auto& record : kept) {
    std::visit([&state](const auto& one) { enter(state, one); }, record);
  }
  state.recovery.known = state.recovery.awaited;
  state.recovery.begun = kept.empty();
}

void begin_recovery(const Turn& turn) {
  auto& state = turn.state;
  auto& recovery = state.recovery;
  if (recovery.begun) return;
  recovery.begun = true;
  for (const auto& [id, index] : state.frameworks.in_order()) {
    start_failover_clock(turn, state.frameworks[index]);
  }
  if (recovery.awaited == 0) return;
  recovery.hold_until = turn.now + state.config.recovery_hold;
  recovery.window_until = turn.now + std::max(state.config.recovery_hold, state.config.reregister_window);
}

void note_back(const Turn& turn, AgentRecord& agent) {
  auto& recovery = turn.state.recovery;
  if (agent.past.back) return;
  agent.past.back = true;
  --recovery.missing;
  if (!std::exchange(agent.past.awaited, false)) return;
  --recovery.awaited;
  end_if_all_are_back(recovery);
}

void note_forgotten(State& state, const AgentRecord& agent) {
  if (agent.past.back) return;
  --state.recovery.missing;
  if (!agent.past.awaited) return;
  --state.recovery.awaited;
  --state.recovery.known;
  end_if_all_are_back(state.recovery);
}

std::optional<Time> next_of_recovery(const State& state) {
  const auto& recovery = state.recovery;
  if (!recovery.begun) return Time{};  // at once: the clocks of those who are away run from the first step
  return recovery.hold_until ? recovery.hold_until : recovery.window_until;
}

bool end_recovery_step(const Turn& turn) {
  auto& recovery = turn.state.recovery;
  const auto next = next_of_recovery(turn.state);
  if (!next || *next > turn.now) return false;
  if (recovery.hold_until) {
    recovery.hold_until.reset();
    return true;
  }
  give_up_waiting(turn);
  end_if_all_are_back(recovery);
  return true;
}

}  // namespace proffer::allocator
