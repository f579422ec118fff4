#include "proffer/frameworks/task_pool.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frameworks/pool/job_preemption.hpp"
#include "frameworks/pool/job_shares.hpp"
#include "frameworks/pool/running_tasks.hpp"
#include "proffer/bulk.hpp"
#include "proffer/check.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer {

using frameworks::JobPreemption;
using frameworks::JobShares;
using frameworks::RunningTasks;

struct TaskPool::Impl {
  explicit Impl(const JobSharing& sharing) : shares(sharing.share_by), commit_time(sharing.commit_time) {}

  JobShares shares;
  Duration commit_time;  ///< as in JobSharing
  std::map<Kind, RunningTasks> running;
  std::optional<JobPreemption> preemption;  ///< none where no pool may starve
  bool promises = false;                    ///< some pool has a min share
  Barred barred;
  std::map<JobId, Kind> rigid;
  std::optional<JobId> only;  ///< see fill_only()
  /// The fill() at hand.
  struct Filling {
    const std::vector<Placement>& placements;  ///< so far
    const Resources& left;
    bool too_small = false;  ///< some job was passed over since a task of it does not fit
  };
  mutable std::optional<Filling> filling;

  void declare_pools(const JobSharing& sharing);
  /// True for a rigid job whose slots are not being given to it.
  bool is_kept_whole(JobId id, Kind kind) const;
  bool is_barred(JobId id, Kind kind, AgentId agent) const;
  /// True when the offer at hand has no room left for a task of the job. It is noted.
  bool is_too_large(JobId id, Kind kind) const;
  /// True when the job has tasks that it keeps from that slot.
  bool holds_back(JobId id, const SlotLook& look) const;
  bool anybody_holds_back(const SlotLook& look);
  /// Notes refusals: jobs that come before the one that is launched, or all, let that slot pass if they could
  /// have had it, or keep their tasks from it.
  void note_refusals(const Candidates& pool, const SlotLook& look, std::optional<JobId> launched,
                     const Policy& policy, Time now);
  Placement launch(const Take& take, Kind kind, const AgentInfo& agent, Time now);
  /// The slots of a kind that the framework has.
  std::int64_t slots(Kind kind) const;
  std::vector<JobPreemption::Task> newest_first(Kind kind) const;
};

void TaskPool::Impl::declare_pools(const JobSharing& sharing) {
  auto& tree = shares.tree();
  PoolSpec root;
  root.order = sharing.mode;
  root.user_limit = sharing.user_limit;
  for (const auto& pool : sharing.pools) {
    promises = promises || !pool.min_share.empty();
    if (!pool.name.empty()) {
      PROFFER_CHECK(tree.declare_pool(pool).ok(), "a pool of jobs that nobody has checked");
    } else {
      root = pool;  // says what order its children have
    }
  }
  PROFFER_CHECK(tree.declare_pool(root).ok(), "the root takes what a pool may have");
  for (const auto& user : sharing.users) tree.set_user_limit(user.name, user.max_running);
}

bool TaskPool::Impl::is_kept_whole(JobId id, Kind kind) const {
  const auto at = rigid.find(id);
  return at != rigid.end() && at->second == kind && only != id;
}

bool TaskPool::Impl::is_barred(JobId id, Kind kind, AgentId agent) const {
  if (only) return id != *only;
  if (is_kept_whole(id, kind)) return true;
  if (!barred) return false;
  const auto is_its = [id](const Placement& placement) { return placement.job == id; };
  const auto placed =
      filling ? std::count_if(filling->placements.begin(), filling->placements.end(), is_its) : 0;
  return barred(id, kind, agent, static_cast<std::size_t>(placed));
}

bool TaskPool::Impl::is_too_large(JobId id, Kind kind) const {
  if (!filling || !is_bulk(kind) || filling->left.contains(shares.need(id, kind))) return false;
  return filling->too_small = true;
}

bool TaskPool::Impl::holds_back(JobId id, const SlotLook& look) const {
  const auto* share = shares.find(id, look.kind);
  return share != nullptr && share->unlaunched.size() > 0 && is_barred(id, look.kind, look.agent.id);
}

bool TaskPool::Impl::anybody_holds_back(const SlotLook& look) {
  const auto order = shares.in_order(look.kind);
  return (barred || !rigid.empty()) &&
         std::any_of(order.begin(), order.end(), [&](JobId id) { return holds_back(id, look); });
}

void TaskPool::Impl::note_refusals(const Candidates& pool, const SlotLook& look,
                                   std::optional<JobId> launched, const Policy& policy, Time now) {
  if (!preemption || only) return;  // slots of a rigid job are no others' to refuse
  std::optional<StarvationClocks::End> until;
  for (const auto id : pool.in_order(look.kind)) {
    if (id == launched) return;
    if (holds_back(id, look)) {
      preemption->refused(shares.leaf_of(id), look.kind, {});
    } else if (pool.nearest(id, look.kind, look.agent)) {
      if (!until) until = policy.next_level_change(look.kind, pool, now);
      preemption->refused(shares.leaf_of(id), look.kind, *until);
    }
  }
}

Placement TaskPool::Impl::launch(const Take& take, Kind kind, const AgentInfo& agent, Time now) {
  const auto taken = shares.change(take.job, kind, [&](JobShares::Share& share) {
    ++share.running;
    return take.task ? share.unlaunched.take(*take.task, agent) : share.unlaunched.take_nearest(agent);
  });
  PROFFER_CHECK(taken.locality == take.locality, "a policy misjudged how near a task would be");
  const auto& task = taken.task;
  running[kind].add(
      {take.job, task.id, agent.id, taken.locality, taken.preferred, task.bytes, now - task.since, now});
  return {take.job, task.id, taken.locality, taken.preferred, take.waited};
}

std::int64_t TaskPool::Impl::slots(Kind kind) const {
  const auto at = running.find(kind);
  return at == running.end() ? 0 : static_cast<std::int64_t>(at->second.size());
}

std::vector<JobPreemption::Task> TaskPool::Impl::newest_first(Kind kind) const {
  std::vector<JobPreemption::Task> tasks;
  const auto at = running.find(kind);
  if (at == running.end()) return tasks;
  at->second.each_newest_first([&](const RunningTask& task) {
    tasks.push_back({task.id, shares.leaf_of(task.job)});
  });
  return tasks;
}

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
  impl_->declare_pools(sharing);  // first, since preemption looks the pools up
  impl_->preemption.emplace(sharing.preemption, sharing.pools, impl_->shares.tree());
  if (!impl_->preemption->watches()) impl_->preemption.reset();
}
TaskPool::~TaskPool() = default;

void TaskPool::add_job(JobId job, std::string name, const JobPlace& place) {
  impl_->shares.add(job, std::move(name), place);
  if (place.rigid) impl_->rigid.emplace(job, *place.rigid);
}

bool TaskPool::has_pool(std::string_view name) const { return impl_->shares.tree().has_pool(name); }

void TaskPool::entitle(Kind kind, std::int64_t slots) { impl_->shares.entitle(kind, slots); }

void TaskPool::move_job(JobId job, std::string_view pool) { impl_->shares.move(job, pool); }

void TaskPool::retire_job(JobId job) { move_job(job, ""); }

void TaskPool::remove_job(JobId job) {
  // First: afterwards nobody knows the job's leaf.
  if (impl_->preemption) impl_->preemption->forget(impl_->shares.leaf_of(job));
  impl_->shares.remove(job);
  impl_->rigid.erase(job);
}

void TaskPool::add(JobId job, PendingTask task) {
  const auto kind = task.kind;
  impl_->shares.change(job, kind, [&](const JobShares::Share& share) {
    share.unlaunched.add(std::move(task));
    return true;
  });
}

std::optional<PendingTask> TaskPool::remove(JobId job, const TaskId& task) {
  return impl_->shares.take_back(job, task);
}

bool TaskPool::prefer(JobId job, Kind kind, const TaskId& task, std::vector<AgentId> nodes,
                      std::vector<std::string> racks) {
  const auto* share = impl_->shares.find(job, kind);
  if (share == nullptr) return false;
  return share->unlaunched.prefer(task, std::move(nodes), std::move(racks)).value_or(false);
}

bool TaskPool::prefer_all(JobId job, Kind kind, std::vector<AgentId> nodes) {
  return impl_->shares.at(job, kind).unlaunched.prefer_all(std::move(nodes));
}

void TaskPool::adopt(JobId job, Kind kind, const TaskId& task, AgentId agent, Time now) {
  impl_->running[kind].add({job, task, agent, Locality::any, false, 0, {}, now});
  impl_->shares.change(job, kind, [](JobShares::Share& share) { return ++share.running; });
}

RunningTask TaskPool::ended(JobId job, Kind kind, const TaskId& task, Time now) {
  auto ran = impl_->running[kind].remove(task);
  if (impl_->preemption) impl_->preemption->ended(task);
  impl_->shares.change(job, kind, [](JobShares::Share& share) {
    PROFFER_CHECK(share.running > 0, "more tasks ended than were launched");
    return --share.running;
  });
  if (impl_->commit_time > Duration::zero()) impl_->shares.count_on(job, kind, now + impl_->commit_time);
  return ran;
}

void TaskPool::bar(Barred barred) { impl_->barred = std::move(barred); }

std::optional<JobId> TaskPool::first_rigid(Kind kind, const std::function<bool(JobId)>& may) const {
  if (impl_->rigid.empty()) return {};
  for (const auto id : in_order(kind)) {
    if (unlaunched(id, kind) == 0) continue;
    if (!impl_->is_kept_whole(id, kind)) return {};
    if (may(id)) return id;
  }
  return {};
}

void TaskPool::fill_only(std::optional<JobId> job) { impl_->only = job; }

Resources TaskPool::need(JobId job, Kind kind) const { return impl_->shares.need(job, kind); }

Offer TaskPool::in_tasks(Offer offer) const {
  const auto cpus = offer.resources[kCpus];
  for (const auto kind : kBulkKinds) offer.resources.set(kind, 0);
  offer.resources.set(kCpus, cpus / impl_->shares.least_cpus());
  return offer;
}

Resources TaskPool::largest_need() const { return impl_->shares.needs().most; }

Resources TaskPool::least_need() const { return impl_->shares.needs().least; }

Resources TaskPool::trimmed(Resources room, Kind kind, std::int64_t tasks) const {
  const auto most =
      is_bulk(kind) ? std::max(tasks * impl_->shares.least_cpus(), largest_need()[kind]) : tasks;
  room.set(kind, std::min(room[kind], most));
  return room;
}

std::optional<TaskPool::Rest> TaskPool::fill(const Offer& offer, Kind kind, Resources& left, Policy& policy,
                                             Time now, std::vector<Placement>& placements) {
  const SlotLook look{offer.agent, kind, offer.id, offer.idle};
  impl_->shares.settle_commits(now);
  std::optional<Rest> passed;
  auto& filling = impl_->filling.emplace(Impl::Filling{placements, left});
  while (left[kind] > 0 && !passed) {
    filling.too_small = false;
    auto choice = policy.consider(look, *this, now);
    const auto* chosen = std::get_if<Take>(&choice);
    // A policy that names tasks may name one that does not fit.
    if (chosen != nullptr && impl_->is_too_large(chosen->job, kind)) choice = Pass{};
    if (const auto* pass = std::get_if<Pass>(&choice)) {
      passed = Rest{pass->reason, pass->reason == DeclineReason::no_pending_task};
      const bool by_choice = passed->until_revived && impl_->anybody_holds_back(look);
      if (by_choice) passed->reason = DeclineReason::policy;
      if (filling.too_small) {
        if (!by_choice) passed->reason = DeclineReason::too_small;
        passed->until_revived = false;
        passed->until_larger = true;
      }
      impl_->note_refusals(*this, look, {}, policy, now);
    } else {
      const auto& take = std::get<Take>(choice);
      impl_->note_refusals(*this, look, take.job, policy, now);
      left -= impl_->shares.need(take.job, kind);
      placements.push_back(impl_->launch(take, kind, offer.agent, now));
    }
  }
  impl_->filling.reset();
  return passed;
}

void TaskPool::revived(Kind kind, Time now) {
  if (impl_->preemption) impl_->preemption->revived(kind, now);
}

bool TaskPool::take_admitted() { return !impl_->shares.tree().pop_admitted().empty(); }

std::int64_t TaskPool::demand(Kind kind) const { return impl_->shares.tree().total_demand(kind); }

void TaskPool::watch_shares(Time now) {
  if (!impl_->preemption) return;
  for (const auto kind : impl_->shares.kinds()) {
    if (!is_bulk(kind)) impl_->preemption->watch(kind, impl_->slots(kind), now);
  }
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
    starved.victims.push_back({impl_->shares.job_of(task.job), task.id});
  }
  return starved;
}

bool TaskPool::starved(JobId job, Kind kind) const {
  if (!impl_->preemption) return false;
  const auto& shares = impl_->shares;
  return shares.contains(job) && impl_->preemption->starved(shares.leaf_of(job), kind);
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
  impl_->shares.set_capacity(kind, std::max<std::int64_t>(0, std::ssize(staying) - slots));
  std::vector<TaskId> losses;
  for (auto& task : impl_->preemption->spare(kind, slots, staying, leaving)) {
    losses.push_back(std::move(task.id));
  }
  return losses;
}

std::vector<ShareTree::Warning> TaskPool::broken_promises(Kind kind, std::int64_t slots) const {
  if (!impl_->promises) return {};
  impl_->shares.set_capacity(kind, slots);
  auto warnings = impl_->shares.tree().warnings();
  std::erase_if(warnings, [kind](const auto& warning) { return warning.kind != kind; });
  return warnings;
}

std::span<const JobId> TaskPool::in_order(Kind kind) const { return impl_->shares.in_order(kind); }

bool TaskPool::has_preferences(JobId job, Kind kind) const {
  const auto* share = impl_->shares.find(job, kind);
  return share != nullptr && share->unlaunched.has_preferences();
}

std::optional<Locality> TaskPool::nearest(JobId job, Kind kind, const AgentInfo& agent) const {
  const auto* share = impl_->shares.find(job, kind);
  if (share == nullptr || impl_->is_barred(job, kind, agent.id)) return {};
  const auto nearest = share->unlaunched.nearest(agent);
  if (nearest && impl_->is_too_large(job, kind)) return {};
  return nearest;
}

std::int64_t TaskPool::unlaunched(JobId job, Kind kind) const {
  const auto* share = impl_->shares.find(job, kind);
  return share == nullptr ? 0 : static_cast<std::int64_t>(share->unlaunched.size());
}

std::int64_t TaskPool::running(JobId job, Kind kind) const {
  const auto* share = impl_->shares.find(job, kind);
  return share == nullptr ? 0 : share->running;
}

std::int64_t TaskPool::preferred_agents(JobId job, Kind kind) const {
  const auto* share = impl_->shares.find(job, kind);
  return share == nullptr ? 0 : static_cast<std::int64_t>(share->unlaunched.preferred_agents());
}

void TaskPool::each_waiting(JobId job, Kind kind, const AgentInfo& agent, Locality within, std::size_t most,
                            const std::function<void(const WaitingTask&)>& visit) const {
  const auto* share = impl_->shares.find(job, kind);
  if (share == nullptr || impl_->is_kept_whole(job, kind) || impl_->is_too_large(job, kind)) return;
  share->unlaunched.each(agent, within, most, [&](const PendingTask& task) {
    visit({task.id, share->unlaunched.nodes_of(task), task.racks, task.bytes, task.since});
  });
}

void TaskPool::each_running(Kind kind, const std::function<void(const RunningTask&)>& visit) const {
  const auto at = impl_->running.find(kind);
  if (at == impl_->running.end()) return;
  at->second.each([&](const RunningTask& task) {
    if (!impl_->is_kept_whole(task.job, kind)) visit(task);
  });
}

std::int64_t TaskPool::fair_share(JobId job, Kind kind, std::int64_t slots) const {
  auto& shares = impl_->shares;
  if (!shares.contains(job)) return 0;
  if (is_bulk(kind)) shares.use_entitlements(kind);
  shares.set_capacity(kind, slots);
  return shares.tree().fair_share(shares.leaf_of(job), kind) / shares.need(job, kind)[kind];
}

void TaskPool::check_invariants() const {
  impl_->shares.check_invariants();
  for (const auto& [kind, tasks] : impl_->running) tasks.check_invariants();
}

}  // namespace proffer
