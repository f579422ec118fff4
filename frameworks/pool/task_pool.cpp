#include "proffer/frameworks/task_pool.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frameworks/pool/job_preemption.hpp"
#include "frameworks/pool/task_index.hpp"
#include "proffer/check.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer {

struct TaskPool::Impl {
  struct Share {                   // of one job and kind
    mutable TaskIndex unlaunched;  // looking at it may tidy it
    std::int64_t running = 0;

    std::int64_t demand() const { return static_cast<std::int64_t>(unlaunched.size()) + running; }
  };
  struct Job {
    std::string name;
    LeafId leaf;
    std::map<Kind, Share> shares;
  };
  /// The tree's order of one kind, put down when somebody asks for it.
  struct Order {
    std::vector<JobId> jobs;
    bool stale = true;
    std::int64_t entitled = 0;  // where the order goes by that
  };

  explicit Impl(const JobSharing& sharing)
      : tree(sharing.share_by), dominant(sharing.share_by == ShareBy::dominant) {}

  ShareTree tree;
  bool dominant;
  std::optional<JobPreemption> preemption;  // where some pool may starve
  bool promises = false;                    // some pool has a min share
  Barred barred;
  const std::vector<Placement>* filling = nullptr;  // what fill() has placed so far
  std::map<JobId, Job> jobs;
  std::vector<JobId> by_leaf;
  std::map<Kind, Order> orders;
  struct Running {
    std::map<std::uint64_t, RunningTask> tasks;  // by order of launch
    std::map<TaskId, std::uint64_t> numbers;
    std::uint64_t next = 0;
  };
  std::map<Kind, Running> running;
  std::uint64_t next_submitted = 0;

  Job& job(JobId id) {
    const auto at = jobs.find(id);
    PROFFER_CHECK(at != jobs.end(), "no such job in the pool");
    return at->second;
  }
  bool is_barred(JobId id, Kind kind, AgentId agent) const {
    if (!barred) return false;
    const auto is_its = [id](const Placement& placement) { return placement.job == id; };
    const auto placed = filling == nullptr ? 0 : std::count_if(filling->begin(), filling->end(), is_its);
    return barred(id, kind, agent, static_cast<std::size_t>(placed));
  }
  const Share* find(JobId id, Kind kind) const {
    const auto at = jobs.find(id);
    if (at == jobs.end()) return nullptr;
    const auto share = at->second.shares.find(kind);
    return share == at->second.shares.end() ? nullptr : &share->second;
  }
  void reshaped() {
    for (auto& [kind, order] : orders) order.stale = true;
  }

  /// Every change of a share goes through here, so that the tree follows.
  template <class Apply>
  auto change(JobId id, Kind kind, Apply&& apply) {
    auto& owner = job(id);
    auto& share = owner.shares[kind];
    auto result = apply(share);
    tree.set_demand(owner.leaf, kind, share.demand());
    tree.set_used(owner.leaf, kind, share.running);
    tree.set_running(owner.leaf, kind, share.running);
    orders[kind].stale = true;
    if (dominant) reshaped();  // what a job uses of one kind counts in all
    return result;
  }

  /// It rests on what the framework is entitled to of a kind, or of all of them.
  bool ordered_by_entitlement() const { return dominant || tree.any_user_limit(); }

  /// The capacity is whatever fair_share() was asked for last, but not in the order.
  std::vector<JobId> order_now(Kind kind) {
    if (ordered_by_entitlement()) {
      for (const auto& [each, order] : orders) {
        if (dominant || each == kind) set_capacity(each, order.entitled);
      }
    }
    std::vector<JobId> order;
    static_cast<void>(tree.neediest(kind, [&](LeafId leaf) {
      order.push_back(by_leaf[leaf.value]);
      return false;
    }));
    return order;
  }

  Placement launch(const Take& take, Kind kind, const AgentInfo& agent, Time now) {
    const auto taken = change(take.job, kind, [&](Share& share) {
      ++share.running;
      return take.task ? share.unlaunched.take(*take.task, agent) : share.unlaunched.take_nearest(agent);
    });
    PROFFER_CHECK(taken.locality == take.locality, "a policy misjudged how near a task would be");
    const auto& task = taken.task;
    auto& runs = running[kind];
    const bool is_new = runs.numbers.emplace(task.id, runs.next).second;
    PROFFER_CHECK(is_new, "a task of that id runs already");
    runs.tasks.emplace(runs.next++, RunningTask{take.job, task.id, agent.id, taken.locality, taken.preferred,
                                                task.bytes, now - task.since, now});
    return {take.job, task.id, taken.locality, taken.preferred, take.waited};
  }
  /// It has tasks that it keeps from there.
  bool holds_back(JobId id, const SlotLook& look) const {
    const auto* share = find(id, look.kind);
    return share != nullptr && share->unlaunched.size() > 0 && is_barred(id, look.kind, look.agent.id);
  }
  bool anybody_holds_back(const Candidates& pool, const SlotLook& look) const {
    const auto order = pool.in_order(look.kind);
    return barred && std::any_of(order.begin(), order.end(), [&](JobId id) { return holds_back(id, look); });
  }
  /// Jobs that come before the one that is launched, or all, let that slot pass if they could have had it, or
  /// keep their tasks from it.
  void note_refusals(const Candidates& pool, const SlotLook& look, std::optional<JobId> launched,
                     const Policy& policy, Time now) {
    if (!preemption) return;
    std::optional<StarvationClocks::End> until;
    for (const auto id : pool.in_order(look.kind)) {
      if (id == launched) return;
      if (holds_back(id, look)) {
        preemption->refused(job(id).leaf, look.kind, {});
      } else if (pool.nearest(id, look.kind, look.agent)) {
        if (!until) until = policy.next_level_change(look.kind, pool, now);
        preemption->refused(job(id).leaf, look.kind, *until);
      }
    }
  }
  /// Whoever asks for shares says of how much.
  void set_capacity(Kind kind, std::int64_t units) {
    if (tree.capacity(kind) != units) tree.set_capacity(kind, units);
  }
  std::optional<JobId> job_of(Kind kind, const TaskId& task) const {
    const auto runs = running.find(kind);
    if (runs == running.end()) return {};
    const auto number = runs->second.numbers.find(task);
    if (number == runs->second.numbers.end()) return {};
    return runs->second.tasks.at(number->second).job;
  }
  /// What the framework has of them.
  std::int64_t slots(Kind kind) const {
    const auto at = running.find(kind);
    return at == running.end() ? 0 : static_cast<std::int64_t>(at->second.tasks.size());
  }
  std::vector<JobPreemption::Task> newest_first(Kind kind) const {
    std::vector<JobPreemption::Task> tasks;
    const auto at = running.find(kind);
    if (at == running.end()) return tasks;
    for (auto task = at->second.tasks.rbegin(); task != at->second.tasks.rend(); ++task) {
      tasks.push_back({task->second.id, jobs.at(task->second.job).leaf});
    }
    return tasks;
  }

  void forget_running(Kind kind, const TaskId& task) {
    auto& runs = running[kind];
    const auto at = runs.numbers.find(task);
    PROFFER_CHECK(at != runs.numbers.end(), "a task ended that was not launched");
    runs.tasks.erase(at->second);
    runs.numbers.erase(at);
  }
};

Result<> check_pools(const std::vector<PoolSpec>& pools) {
  ShareTree tree;
  for (const auto& pool : pools) {
    if (auto declared = tree.declare_pool(pool); !declared) return declared;
    if (pool.min_share_timeout && *pool.min_share_timeout <= Duration::zero()) {
      return Error{ErrorCode::invalid, "the min_share_timeout of pool '" + pool.name + "' must be above 0"};
    }
  }
  return {};
}

TaskPool::TaskPool(const JobSharing& sharing) : impl_(std::make_unique<Impl>(sharing)) {
  PROFFER_CHECK(refuse_preemption(sharing.preemption, sharing.share_by).empty(),
                "preemption that does not go");
  PoolSpec root;
  root.order = sharing.mode;
  root.user_limit = sharing.user_limit;
  for (const auto& pool : sharing.pools) {
    impl_->promises = impl_->promises || !pool.min_share.empty();
    if (!pool.name.empty()) {
      const auto declared = impl_->tree.declare_pool(pool);
      PROFFER_CHECK(declared.ok(), "a pool of jobs that nobody has checked");
    } else {
      root = pool;  // says what order its children have
    }
  }
  PROFFER_CHECK(impl_->tree.declare_pool(root).ok(), "the root takes what a pool may have");
  for (const auto& user : sharing.users) impl_->tree.set_user_limit(user.name, user.max_running);
  impl_->preemption.emplace(sharing.preemption, sharing.pools, impl_->tree);
  if (!impl_->preemption->watches()) impl_->preemption.reset();
}
TaskPool::~TaskPool() = default;

void TaskPool::add_job(JobId job, std::string name, const JobPlace& place) {
  const auto pool = impl_->tree.has_pool(place.pool) ? place.pool : std::string();
  LeafSpec spec{.name = name, .submitted = impl_->next_submitted++, .priority = place.priority};
  spec.user = place.user;
  const auto leaf = impl_->tree.add_leaf(pool, std::move(spec)).value();
  const bool is_new = impl_->jobs.emplace(job, Impl::Job{std::move(name), leaf, {}}).second;
  PROFFER_CHECK(is_new, "the pool has a job of that id");
  impl_->by_leaf.resize(std::max<std::size_t>(impl_->by_leaf.size(), leaf.value + 1));
  impl_->by_leaf[leaf.value] = job;
  impl_->reshaped();
}

bool TaskPool::has_pool(std::string_view name) const { return impl_->tree.has_pool(name); }

void TaskPool::entitle(Kind kind, std::int64_t slots) {
  if (!impl_->ordered_by_entitlement()) return;
  auto& order = impl_->orders[kind];
  if (std::exchange(order.entitled, slots) == slots) return;
  order.stale = true;
  if (impl_->dominant) impl_->reshaped();
}

void TaskPool::move_job(JobId job, std::string_view pool) {
  const auto moved = impl_->tree.move_leaf(impl_->job(job).leaf, pool);
  PROFFER_CHECK(moved.ok(), "a job moves to a pool that there is");
  impl_->reshaped();
}

void TaskPool::retire_job(JobId job) { move_job(job, ""); }

void TaskPool::remove_job(JobId job) {
  const auto& leaving = impl_->job(job);
  for (const auto& [kind, share] : leaving.shares) {
    PROFFER_CHECK(share.running == 0 && share.unlaunched.size() == 0,
                  "job " + leaving.name + " has tasks and cannot be removed");
  }
  if (impl_->preemption) impl_->preemption->forget(leaving.leaf);
  impl_->tree.remove_leaf(leaving.leaf);
  impl_->jobs.erase(job);
  impl_->reshaped();
}

void TaskPool::add(JobId job, PendingTask task) {
  const auto kind = task.kind;
  impl_->change(job, kind, [&](Impl::Share& share) {
    share.unlaunched.add(std::move(task));
    return true;
  });
}

std::optional<PendingTask> TaskPool::remove(JobId job, const TaskId& task) {
  for (const auto& [kind, share] : impl_->job(job).shares) {
    auto removed = impl_->change(job, kind, [&](Impl::Share& s) { return s.unlaunched.remove(task); });
    if (removed) return removed;
  }
  return {};
}

bool TaskPool::prefer(JobId job, Kind kind, const TaskId& task, std::vector<AgentId> nodes,
                      std::vector<std::string> racks) {
  auto& shares = impl_->job(job).shares;
  const auto share = shares.find(kind);
  if (share == shares.end()) return false;
  return share->second.unlaunched.prefer(task, std::move(nodes), std::move(racks)).value_or(false);
}

bool TaskPool::prefer_all(JobId job, Kind kind, std::vector<AgentId> nodes) {
  return impl_->job(job).shares[kind].unlaunched.prefer_all(std::move(nodes));
}

void TaskPool::ended(JobId job, Kind kind, const TaskId& task) {
  impl_->forget_running(kind, task);
  if (impl_->preemption) impl_->preemption->ended(task);
  impl_->change(job, kind, [](Impl::Share& share) {
    PROFFER_CHECK(share.running > 0, "more tasks ended than were launched");
    return --share.running;
  });
}

void TaskPool::bar(Barred barred) { impl_->barred = std::move(barred); }

std::optional<TaskPool::Rest> TaskPool::fill(const Offer& offer, Kind kind, std::int64_t slots,
                                             Policy& policy, Time now, std::vector<Placement>& placements) {
  const SlotLook look{offer.agent, kind, offer.id, offer.idle};
  std::optional<Rest> passed;
  impl_->filling = &placements;
  for (std::int64_t slot = 0; slot < slots && !passed; ++slot) {
    const auto choice = policy.consider(look, *this, now);
    if (const auto* pass = std::get_if<Pass>(&choice)) {
      passed = Rest{pass->reason, pass->reason == DeclineReason::no_pending_task};
      const bool by_choice = passed->until_revived && impl_->anybody_holds_back(*this, look);
      if (by_choice) passed->reason = DeclineReason::policy;
      impl_->note_refusals(*this, look, {}, policy, now);
    } else {
      const auto& take = std::get<Take>(choice);
      impl_->note_refusals(*this, look, take.job, policy, now);
      placements.push_back(impl_->launch(take, kind, offer.agent, now));
    }
  }
  impl_->filling = nullptr;
  return passed;
}

void TaskPool::revived(Kind kind, Time now) {
  if (impl_->preemption) impl_->preemption->revived(kind, now);
}

bool TaskPool::take_admitted() { return !impl_->tree.pop_admitted().empty(); }

std::int64_t TaskPool::demand(Kind kind) const { return impl_->tree.total_demand(kind); }

void TaskPool::watch_shares(Time now) {
  if (!impl_->preemption) return;
  for (const auto& [kind, order] : impl_->orders) impl_->preemption->watch(kind, impl_->slots(kind), now);
}

std::optional<Time> TaskPool::next_starved() const {
  return impl_->preemption ? impl_->preemption->next() : std::nullopt;
}

std::optional<StarvedPool> TaskPool::take_starved(Time now) {
  if (!impl_->preemption) return {};
  watch_shares(now);
  auto due = impl_->preemption->take_due(now);
  if (!due) return {};
  auto starved = due->starved;
  for (const auto& task : impl_->preemption->choose(*due, impl_->newest_first(starved.kind))) {
    starved.victims.push_back({impl_->by_leaf[task.job.value], task.id});
  }
  return starved;
}

bool TaskPool::starved(JobId job, Kind kind) const {
  if (!impl_->preemption) return false;
  const auto at = impl_->jobs.find(job);
  return at != impl_->jobs.end() && impl_->preemption->starved(at->second.leaf, kind);
}

std::vector<TaskId> TaskPool::choose_losses(Kind kind, std::int64_t slots,
                                            std::span<const HeldTask> newest_first) {
  if (!impl_->preemption) return {};
  std::set<TaskId> held;
  for (const auto& one : newest_first) held.insert(one.task);
  auto staying = impl_->newest_first(kind);
  const auto first_leaving = std::stable_partition(staying.begin(), staying.end(),
                                                   [&](const auto& task) { return held.contains(task.id); });
  const std::vector<JobPreemption::Task> leaving(first_leaving, staying.end());
  staying.erase(first_leaving, staying.end());
  impl_->set_capacity(kind, std::max<std::int64_t>(0, std::ssize(staying) - slots));
  std::vector<TaskId> losses;
  for (auto& task : impl_->preemption->spare(kind, slots, staying, leaving)) {
    losses.push_back(std::move(task.id));
  }
  return losses;
}

std::vector<ShareTree::Warning> TaskPool::broken_promises(Kind kind, std::int64_t slots) const {
  if (!impl_->promises) return {};
  impl_->set_capacity(kind, slots);
  auto warnings = impl_->tree.warnings();
  std::erase_if(warnings, [kind](const auto& warning) { return warning.kind != kind; });
  return warnings;
}

std::span<const JobId> TaskPool::in_order(Kind kind) const {
  const auto at = impl_->orders.find(kind);
  if (at == impl_->orders.end()) return {};
  auto& order = at->second;
  if (std::exchange(order.stale, false)) order.jobs = impl_->order_now(kind);
  return order.jobs;
}

bool TaskPool::has_preferences(JobId job, Kind kind) const {
  const auto* share = impl_->find(job, kind);
  return share != nullptr && share->unlaunched.has_preferences();
}

std::optional<Locality> TaskPool::nearest(JobId job, Kind kind, const AgentInfo& agent) const {
  const auto* share = impl_->find(job, kind);
  if (share == nullptr || impl_->is_barred(job, kind, agent.id)) return {};
  return share->unlaunched.nearest(agent);
}

std::int64_t TaskPool::unlaunched(JobId job, Kind kind) const {
  const auto* share = impl_->find(job, kind);
  return share == nullptr ? 0 : static_cast<std::int64_t>(share->unlaunched.size());
}

std::int64_t TaskPool::running(JobId job, Kind kind) const {
  const auto* share = impl_->find(job, kind);
  return share == nullptr ? 0 : share->running;
}

std::int64_t TaskPool::preferred_agents(JobId job, Kind kind) const {
  const auto* share = impl_->find(job, kind);
  return share == nullptr ? 0 : static_cast<std::int64_t>(share->unlaunched.preferred_agents());
}

void TaskPool::each_waiting(JobId job, Kind kind, const AgentInfo& agent, Locality within, std::size_t most,
                            const std::function<void(const WaitingTask&)>& visit) const {
  const auto* share = impl_->find(job, kind);
  if (share == nullptr) return;
  share->unlaunched.each(agent, within, most, [&](const PendingTask& task) {
    visit({task.id, share->unlaunched.nodes_of(task), task.racks, task.bytes, task.since});
  });
}

void TaskPool::each_running(Kind kind, const std::function<void(const RunningTask&)>& visit) const {
  const auto at = impl_->running.find(kind);
  if (at == impl_->running.end()) return;
  for (const auto& [number, task] : at->second.tasks) visit(task);
}

std::int64_t TaskPool::fair_share(JobId job, Kind kind, std::int64_t slots) const {
  const auto at = impl_->jobs.find(job);
  if (at == impl_->jobs.end()) return 0;
  impl_->set_capacity(kind, slots);
  return impl_->tree.fair_share(at->second.leaf, kind);
}

void TaskPool::check_invariants() const {
  impl_->tree.check_invariants();
  for (const auto& [kind, runs] : impl_->running) {
    PROFFER_CHECK(runs.tasks.size() == runs.numbers.size(), "tasks that run are miscounted");
  }
  for (const auto& [id, job] : impl_->jobs) {
    PROFFER_CHECK(impl_->by_leaf[job.leaf.value] == id, "a job under another's leaf");
    for (const auto& [kind, share] : job.shares) {
      share.unlaunched.check_invariants();
      PROFFER_CHECK(impl_->tree.demand(job.leaf, kind) == share.demand() &&
                        impl_->tree.used(job.leaf, kind) == share.running,
                    "the tree does not know what a job wants");
    }
  }
  for (const auto& [kind, order] : impl_->orders) {
    PROFFER_CHECK(order.stale || order.jobs == impl_->order_now(kind), "jobs are out of order");
  }
}

}  // namespace proffer
