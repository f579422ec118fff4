#include "allocator/state/invariants.hpp"

#include <algorithm>
#include <map>

#include "proffer/bulk.hpp"
#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {
namespace {

using Sums = std::map<std::pair<std::uint32_t, Kind>, std::int64_t>;  // by agent or framework, and kind

void add(Sums& sums, std::uint32_t of, const Resources& resources) {
  for (const auto& [kind, units] : resources) sums[{of, kind}] += units;
}

/// Each offered unit is in exactly one live offer, which its agent and its framework know.
void check_offers(const State& state) {
  Sums on_agents;
  Sums of_frameworks;
  std::size_t known_to_agents = 0;
  std::size_t known_to_frameworks = 0;
  for (const auto& [n, offer] : state.offers.all()) {
    PROFFER_CHECK(state.cluster[offer.agent].offers.contains(n), "an offer unknown to its agent");
    PROFFER_CHECK(state.frameworks[offer.framework].offers.contains(n), "an offer unknown to its framework");
    add(on_agents, offer.agent.value, offer.resources());
    add(of_frameworks, offer.framework.value, offer.resources());
  }
  for (const auto& [id, index] : state.cluster.in_order()) {
    const auto& agent = state.cluster[index];
    known_to_agents += agent.offers.size();
    PROFFER_CHECK(agent.offers.empty() || agent.reach <= Reach::suspect, "offers on an agent that is gone");
    for (const auto& slots : agent.slots) {
      PROFFER_CHECK(slots.offered == (on_agents[{index.value, slots.kind}]), "offered is what offers hold");
    }
  }
  for (const auto& [id, index] : state.frameworks.in_order()) {
    const auto& framework = state.frameworks[index];
    known_to_frameworks += framework.offers.size();
    for (const auto kind : state.shares.kinds()) {
      PROFFER_CHECK(framework.slots.offered[kind] == (of_frameworks[{index.value, kind}]),
                    "a framework's offered is what its offers hold");
    }
  }
  const auto outstanding = state.offers.all().size();
  PROFFER_CHECK(known_to_agents == outstanding && known_to_frameworks == outstanding, "an offer twice");
}

void check_tasks(const State& state) {
  Sums on_agents;
  Sums of_frameworks;
  Sums dying;
  std::map<AgentIndex, std::size_t> living;
  std::map<std::pair<AgentIndex, FrameworkIndex>, std::size_t> tasks_of;
  std::size_t known_to_frameworks = 0;
  std::map<AgentIndex, TaskDigest> on_agent;
  std::map<FrameworkIndex, TaskDigest> of_framework;
  for (const auto launch : state.tasks.all()) {
    const auto& task = *state.tasks.find(launch);
    const auto& framework = state.frameworks[task.framework];
    PROFFER_CHECK(framework.tasks.at(task.id.value) == launch, "a task unknown to its framework");
    if (!task.agent) continue;
    const auto& agent = state.cluster[*task.agent];
    PROFFER_CHECK(agent.tasks.contains(launch), "a task unknown to its agent");
    ++tasks_of[{agent.index, task.framework}];
    if (task.ended()) continue;
    ++living[agent.index];
    const auto hash = hash_of_task(framework.id, task.id);
    add_task(of_framework[framework.index], hash);
    if (task.there) add_task(on_agent[agent.index], hash);
    add(on_agents, agent.index.value, task.resources);
    if (agent.counted) add(of_frameworks, task.framework.value, task.resources);
    if (agent.counted && task.kill) add(dying, task.framework.value, task.resources);
  }
  for (const auto& [id, index] : state.cluster.in_order()) {
    const auto& agent = state.cluster[index];
    for (const auto& [launch, stray] : agent.strays) add(on_agents, index.value, stray.resources);
    for (const auto& [launch, stray] : agent.strays) add_task(on_agent[index], stray.hash);
    PROFFER_CHECK(agent.view.tasks == on_agent[index], "the view of an agent's tasks is their sum");
    for (const auto& slots : agent.slots) {
      PROFFER_CHECK(slots.used == (on_agents[{index.value, slots.kind}]), "used is what tasks take");
    }
    PROFFER_CHECK(agent.living == living[index], "the living tasks of an agent are counted");
    std::size_t tasks = 0;
    for (const auto& [framework, count] : agent.tasks_of) {
      PROFFER_CHECK(count > 0 && count == (tasks_of[{index, framework}]),
                    "its tasks are counted by framework");
      tasks += count;
    }
    PROFFER_CHECK(tasks == agent.tasks.size(), "a task of an agent that no framework has");
  }
  for (const auto& [id, index] : state.frameworks.in_order()) {
    const auto& framework = state.frameworks[index];
    known_to_frameworks += framework.tasks.size();
    PROFFER_CHECK(framework.living == of_framework[index], "the digest of a framework's tasks is their sum");
    for (const auto kind : state.shares.kinds()) {
      PROFFER_CHECK(framework.slots.running[kind] == (of_frameworks[{index.value, kind}]),
                    "a framework's running is what its tasks take");
      PROFFER_CHECK(framework.slots.dying[kind] == (dying[{index.value, kind}]),
                    "a framework's dying tasks are counted");
    }
  }
  PROFFER_CHECK(known_to_frameworks == state.tasks.size(), "a task twice");
}

void check_shares(const State& state) {
  const auto& tree = state.shares.tree();
  tree.check_invariants();
  Resources capacity;
  for (const auto& [id, index] : state.cluster.in_order()) {
    const auto& agent = state.cluster[index];
    PROFFER_CHECK(agent.counted == (agent.reach != Reach::unreachable && !agent.drained()),
                  "an agent counts while it is in reach, and not drained");
    if (agent.counted) capacity += agent.total;
  }
  for (const auto kind : state.shares.kinds()) {
    PROFFER_CHECK(tree.capacity(kind) == capacity[kind], "the capacity is that of the agents that count");
    for (const auto& [id, index] : state.frameworks.in_order()) {
      const auto& framework = state.frameworks[index];
      PROFFER_CHECK(tree.used(index, kind) == framework.slots.running[kind] + framework.slots.offered[kind],
                    "used in the tree is running + offered");
      PROFFER_CHECK(tree.demand(index, kind) == framework.wanted(kind),
                    "the tree knows what a framework wants");
      const auto counted = tree.numbers(tree.node_of(index), kind).demand;
      PROFFER_CHECK(counted >= framework.slots.running[kind], "what a framework runs is part of its demand");
    }
  }
}

/// The work is conserved: what stands idle, nobody would take.
void check_idle(const State& state, Time now) {
  for (const auto kind : state.shares.kinds()) {
    for (const auto& [id, index] : state.cluster.with_free(kind)) {
      const auto& agent = state.cluster[index];
      const auto free = state.cluster.free_units(agent, kind);
      const auto taker = state.shares.tree().neediest(kind, [&](FrameworkIndex candidate) {
        const auto& framework = state.frameworks[candidate];
        if (!agent.admits[framework.place.eligibility]) return false;
        if (framework.contact.held_back()) return false;
        if (framework.offers.size() >= limits::kOffersPerFramework) return false;
        if (state.silences.silent(candidate, kind, now)) return false;
        if (kind == kCpus && !state.cluster.has_room(agent, framework.demand.least_size())) return false;
        const auto verdict = state.filters.judge({candidate, index, kind}, 0, free, now);
        return verdict != DeclineFilters::Verdict::refused;
      });
      PROFFER_CHECK(!taker, "a slot stands idle that somebody would take");
    }
  }
}

void check_peers(const State& state) {
  std::size_t sessions = 0;
  for (const auto& [id, index] : state.cluster.in_order()) {
    const auto& agent = state.cluster[index];
    if (!agent.contact.session) continue;
    ++sessions;
    PROFFER_CHECK(state.peers.find(agent.contact.session->peer()) == Speaker{index},
                  "a session without its peer");
  }
  for (const auto& [id, index] : state.frameworks.in_order()) {
    const auto& framework = state.frameworks[index];
    if (!framework.contact.session) continue;
    ++sessions;
    PROFFER_CHECK(state.peers.find(framework.contact.session->peer()) == Speaker{index},
                  "a session without its peer");
  }
  PROFFER_CHECK(sessions == state.peers.size(), "a peer speaks for somebody who is gone");
}

/// Requests to a framework end with its session.
void check_job_changes(const State& state) {
  for (const auto& [number, change] : state.job_changes.all()) {
    const auto framework = state.frameworks.in_order().find(change.framework);
    PROFFER_CHECK(
        framework != state.frameworks.in_order().end() && state.frameworks[framework->second].connected(),
        "an operator waits for a framework that is gone");
  }
}

void check_filters(const State& state, Time now) {
  state.filters.check_invariants(now);
  for (std::uint32_t index = 0; index < limits::kFrameworks && index <= state.frameworks.size(); ++index) {
    if (state.frameworks.has({index})) continue;
    PROFFER_CHECK(!state.filters.any_in_force({index}, now), "a filter outlived its framework");
  }
}

void check_recovery(const State& state) {
  std::size_t awaited = 0;
  std::size_t missing = 0;
  for (const auto& [id, index] : state.cluster.in_order()) {
    const auto& agent = state.cluster[index];
    PROFFER_CHECK(agent.past.back || (agent.reach == Reach::unreachable && !agent.contact.session),
                  "an agent that has not come back is not here");
    PROFFER_CHECK(!agent.past.back || !agent.past.awaited, "nobody waits for an agent that is back");
    missing += agent.past.back ? 0 : 1;
    awaited += agent.past.awaited ? 1 : 0;
  }
  const auto& recovery = state.recovery;
  PROFFER_CHECK(recovery.awaited == awaited && recovery.missing == missing,
                "agents that are away are counted");
  if (!recovery.begun) return;
  PROFFER_CHECK(recovery.window_until.has_value() == (awaited > 0), "the wait ends with the last agent");
  PROFFER_CHECK(!recovery.hold_until || recovery.window_until, "a hold while nobody is awaited");
}

void check_preemption(const State& state) {
  if (state.config.preemption.mode != PreemptionMode::on) {
    PROFFER_CHECK(state.starvation.claims.empty(), "slots are only taken where preemption is on");
  }
  PROFFER_CHECK(state.starvation.clocks.empty() || !state.starvation.watched.empty(),
                "a clock of a pool that nobody watches");
  for (const auto& claim : state.starvation.claims.all()) {
    PROFFER_CHECK(claim.owed > 0 && state.starvation.watches(claim.pool),
                  "a claim of nothing, or for nobody");
    PROFFER_CHECK(state.frameworks.has(claim.framework), "a claim on a framework that is gone");
    const auto& tree = state.shares.tree();
    PROFFER_CHECK(!tree.is_within(tree.node_of(claim.framework), claim.pool), "a pool starves itself");
  }
  for (const auto& held : state.starvation.claims.held()) {
    PROFFER_CHECK(held.units > 0 && state.starvation.watches(held.pool), "slots are held for nobody");
  }
}

}  // namespace

void check(const State& state, Time now) {
  const bool settled = !state.agenda.next && !state.agenda.over;  // else something waits for a pass
  state.cluster.check_invariants(settled);
  state.frameworks.check_invariants();
  state.tasks.check_invariants();
  check_offers(state);
  check_tasks(state);
  check_shares(state);
  check_peers(state);
  check_job_changes(state);
  check_preemption(state);
  check_recovery(state);
  check_filters(state, now);
  if (!settled) return;
  check_idle(state, now);
  PROFFER_CHECK(state.agenda.released.empty(), "what became free has had its pass");
}

}  // namespace proffer::allocator
