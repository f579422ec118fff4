#include "allocator/state/ledger.hpp"

#include <utility>

#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {

namespace {

/// Tells the share tree what the framework runs of these kinds.
void tell_running(State& state, const FrameworkRecord& framework, const Resources& of) {
  for (const auto& [kind, units] : of) {
    state.shares.set_running(framework.index, kind, framework.slots.running[kind]);
  }
}

}  // namespace

Lot reserve(State& state, FrameworkRecord& framework, AgentRecord& agent, Kind kind, std::size_t position,
            std::int64_t units) {
  auto lot = state.cluster.offer(agent, kind, position, units);
  framework.slots.offered.add(kind, units);
  state.shares.reserve(framework.index, kind, units);
  return lot;
}

void give_back(State& state, OfferRecord offer) {
  auto& framework = state.frameworks[offer.framework];
  auto& agent = state.cluster[offer.agent];
  const auto units = offer.units();
  // A framework at the bound was passed over whatever it wants; below it again, it is shown the idle slots.
  if (framework.offers.size() == limits::kOffersPerFramework) {
    for (const auto kind : state.shares.kinds()) state.shares.note_hungry(framework.index, kind);
  }
  framework.offers.erase(offer.id.n);
  agent.offers.erase(offer.id.n);
  framework.slots.offered.add(offer.kind, -units);
  state.cluster.give_back(agent, offer.kind, std::move(offer.lots));
  auto& slots = *state.cluster.slots_of(agent, offer.kind);
  if (slots.closed && units > 0) state.cluster.open(agent, slots);  // to others, within the same report
  state.shares.give_back(framework.index, offer.kind, units);
  state.agenda.released.add(agent.index, offer.kind);
}

void use(State& state, FrameworkRecord& framework, AgentRecord& agent, const Resources& resources) {
  for (const auto& [kind, units] : resources) state.cluster.use_offered(agent, kind, units);
  framework.slots.offered -= resources;
  framework.slots.running += resources;
  tell_running(state, framework, resources);  // `used` stays: offered slots became running ones
}

void note_dying(State& state, const TaskRecord& task) {
  if (task.kill || task.ended() || !task.agent || !state.cluster[*task.agent].counted) return;
  state.frameworks[task.framework].slots.dying += task.resources;
}

void end_use(State& state, const TaskRecord& task) {
  auto& agent = state.cluster[*task.agent];
  // Slots that do not count were taken from the framework and the shares when their agent ceased to count.
  if (agent.counted) {
    auto& framework = state.frameworks[task.framework];
    framework.slots.running -= task.resources;
    if (task.kill) framework.slots.dying -= task.resources;
    tell_running(state, framework, task.resources);
    state.shares.give_back(framework.index, task.resources);
    for (const auto& [kind, units] : task.resources) {
      state.starvation.claims.settle(framework.index, agent.index, kind, units);
    }
  }
  --agent.living;
  state.cluster.end_use(agent, task.resources, state.stamps.next());
  agent_changed(state, agent);  // last: only filters from before the slots came free are lifted
}

void agent_changed(State& state, AgentRecord& agent) {
  state.filters.agent_changed(agent.index, state.stamps.next());
  for (const auto& slots : agent.slots) state.agenda.released.add(agent.index, slots.kind);
}

void count(State& state, AgentRecord& agent) {
  if (agent.counted) return;
  state.cluster.set_counted(agent, true);
  state.shares.add_capacity(agent.total);
  for (const auto launch : agent.tasks) {
    const auto& task = state.tasks[launch];
    if (task.ended()) continue;
    auto& framework = state.frameworks[task.framework];
    framework.slots.running += task.resources;
    if (task.kill) framework.slots.dying += task.resources;
    state.shares.reserve(task.framework, task.resources);
    tell_running(state, framework, task.resources);
  }
}

void discount(State& state, AgentRecord& agent) {
  if (!agent.counted) return;
  state.cluster.set_counted(agent, false);
  state.shares.remove_capacity(agent.total);
  for (const auto launch : agent.tasks) {
    const auto& task = state.tasks[launch];
    if (task.ended()) continue;
    auto& framework = state.frameworks[task.framework];
    framework.slots.running -= task.resources;
    if (task.kill) framework.slots.dying -= task.resources;
    tell_running(state, framework, task.resources);
    state.shares.give_back(task.framework, task.resources);
  }
}

void enlist_task(State& state, const TaskRecord& task, JobId job) {
  auto& agent = state.cluster[*task.agent];
  agent.tasks.insert(task.launch);
  ++agent.living;
  ++agent.tasks_of[task.framework];
  auto& framework = state.frameworks[task.framework];
  framework.tasks[task.id.value] = task.launch;
  if (job != JobId{}) framework.ran_on[job].insert(agent.index);
}

void forget_task(State& state, TaskRecord& task) {
  if (task.agent) {
    auto& agent = state.cluster[*task.agent];
    agent.tasks.erase(task.launch);
    if (!task.ended()) --agent.living;
    const auto known = agent.tasks_of.find(task.framework);
    if (--known->second == 0) agent.tasks_of.erase(known);
  }
  state.frameworks[task.framework].tasks.erase(task.id.value);
  state.tasks.erase(task.launch);
}

void strand_task(State& state, TaskRecord& task) {
  auto& agent = state.cluster[*task.agent];
  PROFFER_CHECK(!agent.counted && !task.ended(), "only a task that is out of reach is stranded");
  agent.strays[task.launch] = task.resources;  // first: the record goes with forget_task()
  forget_task(state, task);
}

void forget_framework(State& state, FrameworkRecord& framework) {
  // The share tree gives the index to the next framework that comes, so every table that goes by it forgets
  // the framework before: else the next one would inherit what this one refused and owed.
  state.filters.forget_framework(framework.index, state.stamps.next());
  state.silences.forget(framework.index);
  state.starvation.claims.forget_framework(framework.index);
  state.shares.remove(framework.index);
  state.frameworks.remove(framework);
}

}  // namespace proffer::allocator
