// Handlers of the allocator's lines.
#include <algorithm>
#include <utility>

#include "proffer/pool_list.hpp"
#include "study/measures/deficit.hpp"
#include "study/why/scene_lines.hpp"
#include "study/why/scene_sources.hpp"

namespace proffer::study::why {
namespace {

/// Declares a pool that frameworks name: a log that begins without its pools still has them in what they say.
void declare(Scene& scene, const std::string& pool) {
  if (!scene.tree.has_pool(pool)) static_cast<void>(scene.tree.declare_pool({.name = pool}));
}

void set_used(Scene& scene, const FrameworkScene& framework, Kind kind) {
  const auto mine = scene.has(framework, kind);
  if (!framework.leaf) return;
  scene.tree.set_used(*framework.leaf, kind, std::max<std::int64_t>(0, mine.running + mine.offered));
  scene.tree.set_running(*framework.leaf, kind, std::max<std::int64_t>(0, mine.running));
}

/// Enters a line into the ledger, and what it changes into the share tree.
template <class Line>
void enter(Scene& scene, const Line& line) {
  for (const auto& change : scene.ledger.apply(line, scene.now)) {
    if (const auto* framework = framework_of(scene, change.framework)) {
      set_used(scene, *framework, change.kind);
    }
  }
}

void set_capacity(Scene& scene) {
  for (const auto& [kind, units] : scene.ledger.capacity()) scene.tree.set_capacity(kind, units);
}

// ---- pools and users ----

void apply(Scene& scene, const PoolChanged& trace) {
  if (trace.removed) {
    scene.pools.erase(trace.pool);
    static_cast<void>(scene.tree.remove_pool(trace.pool));
    return;
  }
  scene.pools[trace.pool] = trace;
  const auto spec = spec_of(trace);
  static_cast<void>(scene.tree.has_pool(spec.name) ? scene.tree.set_pool(spec)
                                                   : scene.tree.declare_pool(spec));
}

void apply(Scene& scene, const UserLimited& trace) {
  if (trace.removed) {
    scene.users.erase(trace.user);
    scene.tree.set_user_limit(trace.user, {});
  } else {
    scene.users[trace.user] = trace.max_running;
    scene.tree.set_user_limit(trace.user, trace.max_running);
  }
}

void apply(Scene& scene, const PoolStarved& trace) {
  scene.starved[{trace.pool, trace.kind}] = {scene.now, trace.used, trace.target};
}

void apply(Scene& scene, const AllocatorRules& trace) { scene.rules = trace; }

// ---- agents ----

void apply(Scene& scene, const AgentRegistered& trace) {
  for (const auto& [kind, units] : trace.slots) {
    if (std::find(scene.kinds.begin(), scene.kinds.end(), kind) == scene.kinds.end()) {
      scene.kinds.push_back(kind);
    }
  }
  enter(scene, trace);
  set_capacity(scene);
}

void apply(Scene& scene, const AgentLost& trace) {
  enter(scene, trace);
  set_capacity(scene);
}

void apply(Scene& scene, const AgentTrouble& trace) { enter(scene, trace); }

void apply(Scene& scene, const AgentLeased& trace) { enter(scene, trace); }

// ---- frameworks ----

void apply(Scene& scene, const FrameworkAdded& trace) { scene.added[trace.framework] = trace; }

void add_leaf(Scene& scene, FrameworkScene& framework, const FrameworkSubscribed& trace) {
  const auto& who = scene.added[trace.framework];
  framework.user = who.user;
  framework.priority = priority_named(who.priority).value_or(Priority::normal);
  const auto leaf = scene.tree.add_leaf(trace.pool, {.name = trace.name,
                                                     .submitted = ++scene.submitted,
                                                     .priority = framework.priority,
                                                     .user = framework.user});
  if (leaf) framework.leaf = *leaf;
  for (const auto& [kind, taken] : scene.ledger.framework(framework.account).taken) {
    set_used(scene, framework, kind);
  }
}

void apply(Scene& scene, const FrameworkSubscribed& trace) {
  auto& framework = subscribed(scene, trace.framework, trace.name);
  framework.id = trace.framework;
  framework.loss.at.reset();
  framework.loss.for_good = false;
  framework.answers.refusals.clear();
  framework.answers.silences.clear();
  enter(scene, trace);
  // The pool is there before the leaf is put into it, which would fail otherwise.
  declare(scene, trace.pool);
  if (!framework.leaf) {
    add_leaf(scene, framework, trace);
  } else if (framework.pool != trace.pool) {
    static_cast<void>(scene.tree.move_leaf(*framework.leaf, trace.pool));
  }
  framework.pool = trace.pool;
}

void apply(Scene& scene, const FrameworkLost& trace) {
  auto* framework = framework_of(scene, trace.framework);
  if (framework == nullptr || framework->id != trace.framework) return;
  framework->answers.silences.clear();
  framework->loss.at = scene.now;
  framework->loss.why = trace.why;
  if (!trace.removed) return;
  framework->loss.for_good = true;
  if (framework->leaf) scene.tree.remove_leaf(*framework->leaf);
  framework->leaf.reset();
  scene.added.erase(trace.framework);
  scene.ledger.forget_demand(trace.framework);
}

void apply(Scene& scene, const FrameworkMoved& trace) {
  auto* framework = framework_of(scene, trace.framework);
  if (framework == nullptr || !framework->leaf) return;
  declare(scene, trace.pool);
  static_cast<void>(scene.tree.move_leaf(*framework->leaf, trace.pool));
  framework->pool = trace.pool;
}

void apply(Scene& scene, const DemandChanged& trace) {
  auto* framework = framework_of(scene, trace.framework);
  if (framework == nullptr || !framework->leaf) return;
  // The former demand is asked for before the line is entered: only new tasks revive.
  const auto before = scene.ledger.framework(framework->account).demands(trace.kind);
  const auto units = trace.demand < 0 ? kUnbounded : trace.demand;
  if (units > before) {
    std::erase_if(framework->answers.refusals,
                  [&](const auto& entry) { return entry.first.second == trace.kind && !entry.second.until; });
  }
  enter(scene, trace);
  scene.tree.set_demand(*framework->leaf, trace.kind, units);
}

void apply(Scene& scene, const SlotsPreempted& trace) {
  auto* framework = framework_of(scene, trace.framework);
  if (framework != nullptr && trace.enforced) framework->preempted += trace.slots;
}

// ---- offers ----

void apply(Scene& scene, const OfferMade& trace) {
  auto* framework = framework_of(scene, trace.framework);
  if (framework == nullptr) return;
  for (const auto& [kind, units] : trace.resources) framework->answers.refusals.erase({trace.agent, kind});
  enter(scene, trace);
}

void note_end(Scene& scene, const OpenOffer& offer, EndedOffer ended) {
  auto* framework = framework_of(scene, offer.framework);
  if (framework == nullptr) return;
  auto& answers = framework->answers;
  for (const auto& [kind, units] : offer.resources) {
    if (offer.is_rest) break;
    ended.kind = kind;
    answers.lately.push_back(ended);
    if (ended.end == OfferEnd::expired) {
      auto& silence = answers.silences[kind];
      silence.last_expired = scene.now;
      silence.silence.expired(scene.now);
    }
    if (ended.end == OfferEnd::accepted) answers.declines[kind] = false;
    if (ended.end == OfferEnd::declined) answers.declines[kind] = is_own_choice(ended.reason);
  }
  while (!answers.lately.empty() && answers.lately.front().at + kLately < scene.now) {
    answers.lately.pop_front();
  }
  if (ended.end == OfferEnd::accepted || ended.end == OfferEnd::declined) answers.silences.clear();
}

/// Notes how an offer ended, and enters the line. The offer is looked at first: with the line it leaves the
/// ledger, or becomes a rest.
template <class Line>
void end_offer(Scene& scene, const Line& line, OfferEnd end, DeclineReason reason, Duration held) {
  const auto* offer = scene.ledger.offer(line.offer);
  if (offer == nullptr) return;
  note_end(scene, *offer, {scene.now, end, reason, held, {}});
  enter(scene, line);
}

void apply(Scene& scene, const OfferAccepted& trace) {
  end_offer(scene, trace, OfferEnd::accepted, DeclineReason::other, trace.held);
}

void apply(Scene& scene, const OfferDeclined& trace) {
  const auto* offer = scene.ledger.offer(trace.offer);
  auto* framework = offer == nullptr ? nullptr : framework_of(scene, offer->framework);
  if (framework == nullptr) return;
  Refusal refusal{scene.now, scene.now + Duration{trace.refuse_for_us}, trace.refuse_for_us == 0,
                  trace.reason};
  if (trace.refuse_for_us < 0) refusal.until.reset();
  for (const auto& [kind, units] : offer->resources) {
    framework->answers.refusals[{trace.agent, kind}] = refusal;
  }
  end_offer(scene, trace, OfferEnd::declined, trace.reason, trace.held);
}

void apply(Scene& scene, const OfferRescinded& trace) {
  end_offer(scene, trace, OfferEnd::rescinded, DeclineReason::other, {});
}

void apply(Scene& scene, const OfferExpired& trace) {
  end_offer(scene, trace, OfferEnd::expired, DeclineReason::other, {});
}

// ---- tasks ----

void apply(Scene& scene, const TaskLaunched& trace) {
  auto* framework = framework_of(scene, trace.framework);
  if (framework == nullptr) return;
  auto& task = framework->tasks[trace.task];
  task.ended.reset();
  task.launched = scene.now;
  task.agent = trace.agent;
  task.state = TaskState::pending;
  if (!trace.resources.empty()) task.kind = trace.resources.begin()->first;
  enter(scene, trace);
}

/// A backup that has no slot yet goes with the attempt that it was for.
void forget_backup_of(FrameworkScene& framework, JobScene& job, const TaskId& first) {
  const auto backup = job.backups.extract(first);
  if (!backup.empty() && job.waiting.erase(backup.mapped()) > 0) framework.tasks.erase(backup.mapped());
}

void note_end(Scene& scene, FrameworkScene& framework, const TaskId& id) {
  auto& task = framework.tasks[id];
  task.ended = scene.now;
  const bool finished = task.state == TaskState::finished;
  const auto job = framework.jobs.find(task.job);
  if (finished && task.launched) {
    const auto lasted = scene.now - *task.launched;
    framework.run_times[task.kind].add(lasted);
    scene.run_times[task.kind].add(lasted);
    if (job != framework.jobs.end()) job->second.run_times[task.kind].add(lasted);
  }
  if (job == framework.jobs.end()) return;
  job->second.waiting.erase(id);
  job->second.running.erase(id);
  forget_backup_of(framework, job->second, id);
  if (finished) ++job->second.done[task.kind];
}

/// A task whose agent is silent is none of its job's running ones, until it is heard of again. The task is
/// looked at before the line is entered, which changes whether it is away.
void note_agent(Scene& scene, FrameworkScene& framework, const TaskId& id, TaskState state) {
  const auto* held = scene.held(framework, id);
  const auto job = framework.jobs.find(framework.tasks[id].job);
  if (held == nullptr || job == framework.jobs.end()) return;
  const bool is_away = state == TaskState::unreachable;
  if (is_away && !held->away) job->second.running.erase(id);
  if (!is_away && held->away) job->second.running.insert(id);
}

void apply(Scene& scene, const TaskChanged& trace) {
  auto* framework = framework_of(scene, trace.framework);
  if (framework == nullptr) return;
  const auto at = framework->tasks.find(trace.task);
  if (at == framework->tasks.end()) return;
  at->second.state = trace.state;
  at->second.reason = trace.reason;
  if (!is_terminal(trace.state)) {
    note_agent(scene, *framework, trace.task, trace.state);
  } else if (!at->second.ended) {
    note_end(scene, *framework, trace.task);
  }
  enter(scene, trace);
}

template <class Other>
void apply(Scene&, const Other&) {}

}  // namespace

void allocator_line(Scene& scene, const Trace& trace) {
  std::visit([&](const auto& event) { apply(scene, event); }, trace);
}

}  // namespace proffer::study::why
