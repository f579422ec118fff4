#include "allocator/state/ledger.hpp"

#include <utility>

#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::allocator {

namespace {

std::uint64_t hash_of(const State& state, const TaskRecord& task) {
  return hash_of_task(state.frameworks[task.framework].id, task.id);
}

/// Takes a task that has not ended so far out of what its framework, and its agent, are believed to have.
void no_longer_lives(State& state, const TaskRecord& task) {
  const auto hash = hash_of(state, task);
  remove_task(state.frameworks[task.framework].living, hash);
  if (task.there && task.agent) remove_task(state.cluster[*task.agent].view.tasks, hash);
}

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

namespace {

/// offered -> free, of one kind of an offer.
void give_back(State& state, FrameworkRecord& framework, AgentRecord& agent, Kind kind, Lots lots) {
  const auto units = units_of(lots);
  framework.slots.offered.add(kind, -units);
  state.cluster.give_back(agent, kind, std::move(lots));
  auto& slots = *state.cluster.slots_of(agent, kind);
  if (slots.closed && units > 0) state.cluster.open(agent, slots);  // to others, within the same report
  state.shares.give_back(framework.index, kind, units);
  state.agenda.released.add(agent.index, kind);
}

}  // namespace

void give_back(State& state, OfferRecord offer) {
  auto& framework = state.frameworks[offer.framework];
  auto& agent = state.cluster[offer.agent];
  // A framework at the bound was passed over whatever it wants; below it again, it is shown the idle slots.
  if (framework.offers.size() == limits::kOffersPerFramework) {
    for (const auto kind : state.shares.kinds()) state.shares.note_hungry(framework.index, kind);
  }
  framework.offers.erase(offer.id.n);
  agent.offers.erase(offer.id.n);
  for (const auto& [kind, units] : offer.riding) give_back(state, framework, agent, kind, {{units}});
  give_back(state, framework, agent, offer.kind, std::move(offer.lots));
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
  no_longer_lives(state, task);
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

void enlist_task(State& state, const TaskRecord& task) {
  auto& agent = state.cluster[*task.agent];
  agent.tasks.insert(task.launch);
  ++agent.living;
  ++agent.tasks_of[task.framework];
  auto& framework = state.frameworks[task.framework];
  framework.tasks[task.id.value] = task.launch;
  add_task(framework.living, hash_of_task(framework.id, task.id));
  if (task.job != JobId{}) framework.ran_on[task.job].insert(agent.index);
}

void note_arrival(State& state, TaskRecord& task) {
  if (!TaskTable::arrived(task) || task.ended()) return;
  add_task(state.cluster[*task.agent].view.tasks, hash_of(state, task));
}

void view_anew(State& state, AgentRecord& agent) {
  agent.view.begin();
  for (const auto launch : agent.tasks) {
    const auto& task = state.tasks[launch];
    if (task.there && !task.ended()) add_task(agent.view.tasks, hash_of(state, task));
  }
  for (const auto& [launch, stray] : agent.strays) add_task(agent.view.tasks, stray.hash);
}

void forget_task(State& state, TaskRecord& task) {
  if (!task.ended()) no_longer_lives(state, task);
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
  // First: the record goes with forget_task().
  agent.strays[task.launch] = {task.resources, hash_of(state, task)};
  add_task(agent.view.tasks, hash_of(state, task));
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
