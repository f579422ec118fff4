// What the allocator's lines say.
#include <algorithm>
#include <utility>

#include "proffer/pool_list.hpp"
#include "study/measures/deficit.hpp"
#include "study/why/scene.hpp"

namespace proffer::study::why {
FrameworkScene* Scene::of(FrameworkId id) {
  const auto number = numbers_.find(id);
  return number == numbers_.end() ? nullptr : &frameworks.at(number->second);
}

/// A log that begins without its pools still has them in what frameworks say.
void Scene::declare(const std::string& pool) {
  if (!tree.has_pool(pool)) static_cast<void>(tree.declare_pool({.name = pool}));
}

void Scene::apply(const PoolChanged& trace) {
  if (trace.removed) {
    pools.erase(trace.pool);
    static_cast<void>(tree.remove_pool(trace.pool));
    return;
  }
  pools[trace.pool] = trace;
  const auto spec = spec_of(trace);
  static_cast<void>(tree.has_pool(spec.name) ? tree.set_pool(spec) : tree.declare_pool(spec));
}

void Scene::apply(const AgentRegistered& trace) {
  const bool is_new = !agents.contains(trace.agent);
  auto& agent = agents[trace.agent];
  agent.name = trace.name;
  agent.rack = trace.rack;
  agent.slots = trace.slots;
  agent.lost = false;
  for (const auto& [kind, units] : trace.slots) {
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  count_capacity();
  if (!is_new) return;
  for (auto& [number, framework] : frameworks) {  // tasks that an allocator before this one launched
    for (auto& [id, task] : framework.tasks) {
      if (task.units == 0 || task.agent != trace.agent) continue;
      task.away = false;
      take_task(framework, id);
    }
  }
}

void Scene::apply(const AgentLost& trace) {
  agents[trace.agent].lost = true;
  agents[trace.agent].leased_to.reset();
  count_capacity();
}

void Scene::apply(const AgentTrouble& trace) { agents[trace.agent].trouble = trace.why; }

void Scene::count_capacity() {
  for (const auto kind : kinds) {
    std::int64_t units = 0;
    for (const auto& [id, agent] : agents) units += agent.lost ? 0 : agent.slots[kind];
    tree.set_capacity(kind, units);
  }
}

void Scene::apply(const UserLimited& trace) {
  if (trace.removed) {
    users.erase(trace.user);
    tree.set_user_limit(trace.user, {});
  } else {
    users[trace.user] = trace.max_running;
    tree.set_user_limit(trace.user, trace.max_running);
  }
}

void Scene::apply(const FrameworkAdded& trace) { added_[trace.framework] = trace; }

void Scene::apply(const FrameworkSubscribed& trace) {
  auto& framework = subscribed(trace.framework, trace.name);
  framework.id = trace.framework;
  framework.loss.at.reset();
  framework.loss.for_good = false;
  framework.refusals.clear();
  framework.silences.clear();
  declare(trace.pool);
  if (!framework.leaf) {
    const auto& who = added_[trace.framework];
    framework.user = who.user;
    framework.priority = priority_named(who.priority).value_or(Priority::normal);
    const auto leaf = tree.add_leaf(trace.pool, {.name = trace.name,
                                                 .submitted = ++submitted_,
                                                 .priority = framework.priority,
                                                 .user = framework.user});
    if (leaf) framework.leaf = *leaf;
    for (const auto& [kind, taken] : framework.taken) tell_used(framework, kind);
  } else if (framework.pool != trace.pool) {
    static_cast<void>(tree.move_leaf(*framework.leaf, trace.pool));
  }
  framework.pool = trace.pool;
}

void Scene::apply(const FrameworkLost& trace) {
  auto* framework = of(trace.framework);
  if (framework == nullptr || framework->id != trace.framework) return;
  framework->silences.clear();
  framework->loss.at = now;
  framework->loss.why = trace.why;
  if (!trace.removed) return;
  framework->loss.for_good = true;
  if (framework->leaf) tree.remove_leaf(*framework->leaf);
  framework->leaf.reset();
  added_.erase(trace.framework);
  framework->demand.clear();
}

void Scene::apply(const FrameworkMoved& trace) {
  auto* framework = of(trace.framework);
  if (framework == nullptr || !framework->leaf) return;
  declare(trace.pool);
  static_cast<void>(tree.move_leaf(*framework->leaf, trace.pool));
  framework->pool = trace.pool;
}

void Scene::apply(const DemandChanged& trace) {
  auto* framework = of(trace.framework);
  if (framework == nullptr || !framework->leaf) return;
  auto& demand = framework->demand[trace.kind];
  const auto units = trace.demand < 0 ? kUnbounded : trace.demand;
  if (units > demand) {  // new tasks revive
    std::erase_if(framework->refusals,
                  [&](const auto& entry) { return entry.first.second == trace.kind && !entry.second.until; });
  }
  demand = units;
  tree.set_demand(*framework->leaf, trace.kind, units);
}

void Scene::take(FrameworkScene& framework, AgentId agent, Kind kind, SlotCount change) {
  for (auto* taken : {&framework.taken[kind], &agents[agent].taken[kind]}) {
    taken->running += change.running;
    taken->offered += change.offered;
  }
  tell_used(framework, kind);
}

void Scene::tell_used(const FrameworkScene& framework, Kind kind) {
  const auto mine = framework.has(kind);
  if (!framework.leaf) return;
  tree.set_used(*framework.leaf, kind, std::max<std::int64_t>(0, mine.running + mine.offered));
  tree.set_running(*framework.leaf, kind, std::max<std::int64_t>(0, mine.running));
}

void Scene::apply(const OfferMade& trace) {
  auto* framework = of(trace.framework);
  if (framework == nullptr) return;
  offers[trace.offer] = {framework->number, trace.agent, trace.resources, now};
  for (const auto& [kind, units] : trace.resources) {
    take(*framework, trace.agent, kind, {0, units});
    framework->refusals.erase({trace.agent, kind});
  }
}

void Scene::end_offer(OfferId id, OfferEnd end, DeclineReason reason, Duration held) {
  const auto node = offers.extract(id);
  if (node.empty()) return;
  const auto& offer = node.mapped();
  auto& framework = frameworks.at(offer.framework);
  for (const auto& [kind, units] : offer.resources) {
    take(framework, offer.agent, kind, {0, -units});
    if (offer.is_rest) continue;
    framework.lately.push_back({now, end, reason, held, kind});
    if (end == OfferEnd::expired) {
      auto& silence = framework.silences[kind];
      silence.last_expired = now;
      silence.silence.expired(now);
    }
    if (end == OfferEnd::accepted) framework.declines[kind] = false;
    if (end == OfferEnd::declined) framework.declines[kind] = is_own_choice(reason);
  }
  while (!framework.lately.empty() && framework.lately.front().at + kLately < now) {
    framework.lately.pop_front();
  }
  if (end == OfferEnd::accepted || end == OfferEnd::declined) framework.silences.clear();
}

/// What it did not take of the offer it declines in the next line.
void Scene::apply(const OfferAccepted& trace) {
  const auto at = offers.find(trace.offer);
  if (at == offers.end()) return;
  auto rest = at->second;
  rest.is_rest = true;
  for (const auto& [kind, units] : at->second.resources) {
    rest.resources.set(kind, std::max<std::int64_t>(0, units - trace.tasks));
  }
  end_offer(trace.offer, OfferEnd::accepted, DeclineReason::other, trace.held);
  for (const auto& [kind, units] : rest.resources) {
    take(frameworks.at(rest.framework), rest.agent, kind, {0, units});
  }
  if (!rest.resources.empty()) offers[trace.offer] = std::move(rest);
}

void Scene::apply(const OfferDeclined& trace) {
  const auto at = offers.find(trace.offer);
  if (at == offers.end()) return;
  auto& framework = frameworks.at(at->second.framework);
  Refusal refusal{now, now + Duration{trace.refuse_for_us}, trace.refuse_for_us == 0, trace.reason};
  if (trace.refuse_for_us < 0) refusal.until.reset();
  for (const auto& [kind, units] : at->second.resources) framework.refusals[{trace.agent, kind}] = refusal;
  end_offer(trace.offer, OfferEnd::declined, trace.reason, trace.held);
}

void Scene::apply(const OfferRescinded& trace) {
  end_offer(trace.offer, OfferEnd::rescinded, DeclineReason::other, {});
}

void Scene::apply(const OfferExpired& trace) {
  end_offer(trace.offer, OfferEnd::expired, DeclineReason::other, {});
}

void Scene::apply(const TaskLaunched& trace) {
  auto* framework = of(trace.framework);
  if (framework == nullptr) return;
  auto& task = framework->tasks[trace.task];
  give_back(*framework, trace.task);  // of another life of the framework, with the same ids
  task.ended.reset();
  task.launched = now;
  task.agent = trace.agent;
  task.state = TaskState::pending;
  for (const auto& [kind, units] : trace.resources) {
    task.kind = kind;
    task.units = units;
  }
  take_task(*framework, trace.task);
}

void Scene::apply(const TaskChanged& trace) {
  auto* framework = of(trace.framework);
  if (framework == nullptr) return;
  const auto at = framework->tasks.find(trace.task);
  if (at == framework->tasks.end()) return;
  at->second.state = trace.state;
  at->second.reason = trace.reason;
  if (trace.state == TaskState::unreachable) return leave(*framework, trace.task);
  if (!is_terminal(trace.state)) return come_back(*framework, trace.task);
  if (!at->second.ended) end_task(*framework, trace.task, trace);
}

void Scene::take_task(FrameworkScene& framework, const TaskId& id) {
  const auto& task = framework.tasks[id];
  take(framework, task.agent, task.kind, {task.units, 0});
  agents[task.agent].tasks.insert({framework.number, id});
}

/// Its agent is silent, so that its slots are none.
void Scene::leave(FrameworkScene& framework, const TaskId& id) {
  auto& task = framework.tasks[id];
  const auto units = task.units;
  if (units == 0 || task.away) return;
  give_back(framework, id);
  task.units = units;
  task.away = true;
  const auto job = framework.jobs.find(task.job);
  if (job != framework.jobs.end()) job->second.running.erase(id);
}

void Scene::come_back(FrameworkScene& framework, const TaskId& id) {
  auto& task = framework.tasks[id];
  if (!std::exchange(task.away, false)) return;
  take_task(framework, id);
  const auto job = framework.jobs.find(task.job);
  if (job != framework.jobs.end()) job->second.running.insert(id);
}

void Scene::give_back(FrameworkScene& framework, const TaskId& id) {
  auto& task = framework.tasks[id];
  const auto units = std::exchange(task.units, 0);
  const auto agent = agents.find(task.agent);
  if (std::exchange(task.away, false) || units == 0 || agent == agents.end()) return;
  take(framework, task.agent, task.kind, {-units, 0});
  agent->second.tasks.erase({framework.number, id});
  agent->second.changed = now;
}

void Scene::end_task(FrameworkScene& framework, const TaskId& id, const TaskChanged& trace) {
  auto& task = framework.tasks[id];
  task.ended = now;
  give_back(framework, id);
  const bool finished = trace.state == TaskState::finished;
  const auto job = framework.jobs.find(task.job);
  if (finished && task.launched) {
    const auto lasted = now - *task.launched;
    framework.run_times[task.kind].add(lasted);
    run_times[task.kind].add(lasted);
    if (job != framework.jobs.end()) job->second.run_times[task.kind].add(lasted);
  }
  if (job == framework.jobs.end()) return;
  job->second.waiting.erase(id);
  job->second.running.erase(id);
  if (finished) ++job->second.done[task.kind];
}

void Scene::apply(const PoolStarved& trace) {
  starved[{trace.pool, trace.kind}] = {now, trace.used, trace.target};
}

void Scene::apply(const SlotsPreempted& trace) {
  auto* framework = of(trace.framework);
  if (framework != nullptr && trace.enforced) framework->preempted += trace.slots;
}

void Scene::apply(const AgentLeased& trace) {
  auto& agent = agents[trace.agent];
  if (!trace.returned) {
    agent.leased_to = trace.pool;
  } else if (agent.leased_to == trace.pool) {
    agent.leased_to.reset();
  }
}

void Scene::apply(const AllocatorRules& trace) { rules = trace; }

}  // namespace proffer::study::why
