// What the allocator's lines say.
#include <algorithm>
#include <utility>

#include "study/why/scene.hpp"

namespace proffer::study::why {
namespace {

PoolOrder order_of(const std::string& name) {
  const auto at = std::find(kPoolOrders.begin(), kPoolOrders.end(), name);
  return at == kPoolOrders.end() ? PoolOrder::fair : static_cast<PoolOrder>(at - kPoolOrders.begin());
}

}  // namespace

PoolSpec spec_of(const PoolChanged& pool) {
  return {pool.pool,        std::max<std::int64_t>(1, pool.weight_milli),
          pool.min_share,   order_of(pool.order),
          pool.max_running, pool.max_running_per_user};
}

FrameworkScene* Scene::of(FrameworkId id) {
  const auto name = names_.find(id);
  return name == names_.end() ? nullptr : &frameworks[name->second];
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
  auto spec = spec_of(trace);
  spec.max_running_per_user = 0;  // whose frameworks are, the log does not say
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
  for (auto& [name, framework] : frameworks) {  // tasks that an allocator before this one launched
    for (const auto& [id, task] : framework.tasks) {
      if (task.units == 0 || task.agent != trace.agent) continue;
      take(framework, task.agent, task.kind, {task.units, 0});
      agent.tasks.insert({name, id});
    }
  }
}

void Scene::apply(const AgentLost& trace) {
  agents[trace.agent].lost = true;
  count_capacity();
}

void Scene::count_capacity() {
  for (const auto kind : kinds) {
    std::int64_t units = 0;
    for (const auto& [id, agent] : agents) units += agent.lost ? 0 : agent.slots[kind];
    tree.set_capacity(kind, units);
  }
}

void Scene::apply(const FrameworkSubscribed& trace) {
  names_[trace.framework] = trace.name;
  auto& framework = frameworks[trace.name];
  framework.name = trace.name;
  framework.id = trace.framework;
  framework.lost_at.reset();
  framework.gone = false;
  framework.refusals.clear();
  framework.refuses_until.clear();
  declare(trace.pool);
  if (!framework.leaf) {
    const auto leaf = tree.add_leaf(trace.pool, {.name = trace.name, .submitted = ++submitted_});
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
  framework->lost_at = now;
  framework->why_lost = trace.why;
  if (!trace.removed) return;
  framework->gone = true;
  if (framework->leaf) tree.remove_leaf(*framework->leaf);
  framework->leaf.reset();
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
    if (!framework->refuses_until[trace.kind]) framework->refuses_until[trace.kind] = now;
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
  if (framework.leaf)
    tree.set_used(*framework.leaf, kind, std::max<std::int64_t>(0, mine.running + mine.offered));
}

void Scene::apply(const OfferMade& trace) {
  auto* framework = of(trace.framework);
  if (framework == nullptr) return;
  offers[trace.offer] = {framework->name, trace.agent, trace.resources, now};
  for (const auto& [kind, units] : trace.resources) {
    take(*framework, trace.agent, kind, {0, units});
    framework->refusals.erase({trace.agent, kind});
  }
}

void Scene::end_offer(OfferId id, OfferEnd end, DeclineReason reason, Duration held) {
  const auto node = offers.extract(id);
  if (node.empty()) return;
  const auto& offer = node.mapped();
  auto& framework = frameworks[offer.framework];
  for (const auto& [kind, units] : offer.resources) {
    take(framework, offer.agent, kind, {0, -units});
    framework.lately.push_back({now, end, reason, held, kind});
  }
  while (!framework.lately.empty() && framework.lately.front().at + kLately < now) {
    framework.lately.pop_front();
  }
  if (end == OfferEnd::expired) framework.last_expiry = now;
  if (end == OfferEnd::accepted || end == OfferEnd::declined) framework.last_expiry.reset();
}

/// What it did not take of the offer it declines in the next line.
void Scene::apply(const OfferAccepted& trace) {
  const auto at = offers.find(trace.offer);
  if (at == offers.end()) return;
  auto rest = at->second;
  for (const auto& [kind, units] : at->second.resources) {
    rest.resources.set(kind, std::max<std::int64_t>(0, units - trace.tasks));
  }
  end_offer(trace.offer, OfferEnd::accepted, DeclineReason::other, trace.held);
  for (const auto& [kind, units] : rest.resources) {
    take(frameworks[rest.framework], rest.agent, kind, {0, units});
  }
  if (!rest.resources.empty()) offers[trace.offer] = std::move(rest);
}

void Scene::apply(const OfferDeclined& trace) {
  const auto at = offers.find(trace.offer);
  if (at == offers.end()) return;
  auto& framework = frameworks[at->second.framework];
  Refusal refusal{now, now + Duration{trace.refuse_for_us}, trace.refuse_for_us == 0, trace.reason};
  if (trace.refuse_for_us < 0) refusal.until.reset();
  for (const auto& [kind, units] : at->second.resources) {
    framework.refusals[{trace.agent, kind}] = refusal;
    auto& until = framework.refuses_until.try_emplace(kind, now).first->second;
    // Where looks are counted the next one may be long in coming: a second stands for it.
    const auto end = refusal.until_change ? now + std::chrono::seconds(1) : refusal.until;
    if (until) until = end ? std::max(*until, *end) : end;
  }
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
    take(*framework, trace.agent, kind, {units, 0});
  }
  agents[trace.agent].tasks.insert({framework->name, trace.task});
}

void Scene::apply(const TaskChanged& trace) {
  auto* framework = of(trace.framework);
  if (framework == nullptr) return;
  const auto at = framework->tasks.find(trace.task);
  if (at == framework->tasks.end()) return;
  at->second.state = trace.state;
  at->second.reason = trace.reason;
  if (is_terminal(trace.state) && !at->second.ended) end_task(*framework, trace.task, trace);
}

void Scene::give_back(FrameworkScene& framework, const TaskId& id) {
  auto& task = framework.tasks[id];
  const auto units = std::exchange(task.units, 0);
  const auto agent = agents.find(task.agent);
  if (units == 0 || agent == agents.end()) return;
  take(framework, task.agent, task.kind, {-units, 0});
  agent->second.tasks.erase({framework.name, id});
  agent->second.changed = now;
}

void Scene::end_task(FrameworkScene& framework, const TaskId& id, const TaskChanged& trace) {
  auto& task = framework.tasks[id];
  task.ended = now;
  give_back(framework, id);
  if (trace.state == TaskState::finished && task.launched) {
    for (auto* times : {&framework.run_times[task.kind], &run_times[task.kind]}) {
      ++times->count;
      times->sum += now - *task.launched;
    }
  }
  const auto job = framework.jobs.find(task.job);
  if (job == framework.jobs.end()) return;
  job->second.waiting.erase(id);
  job->second.running.erase(id);
  if (trace.state == TaskState::finished) ++job->second.done;
}

void Scene::apply(const PoolStarved& trace) {
  starved[{trace.pool, trace.kind}] = {now, trace.used, trace.target};
}

void Scene::apply(const SlotsPreempted& trace) {
  if (auto* framework = of(trace.framework); framework != nullptr) framework->preempted += trace.slots;
}

}  // namespace proffer::study::why
