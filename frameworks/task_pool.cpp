#include "proffer/frameworks/task_pool.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "frameworks/task_index.hpp"
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
  };

  ShareTree tree;
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
    orders[kind].stale = true;
    return result;
  }

  std::vector<JobId> order_now(Kind kind) const {
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
  }
  return {};
}

TaskPool::TaskPool(PoolOrder mode, const std::vector<PoolSpec>& pools) : impl_(std::make_unique<Impl>()) {
  PoolSpec root;
  root.order = mode;
  for (const auto& pool : pools) {
    if (!pool.name.empty()) {
      const auto declared = impl_->tree.declare_pool(pool);
      PROFFER_CHECK(declared.ok(), "a pool of jobs that nobody has checked");
    } else {
      root = pool;  // says what order its children have
    }
  }
  PROFFER_CHECK(impl_->tree.declare_pool(root).ok(), "the root takes what a pool may have");
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
  impl_->change(job, kind, [](Impl::Share& share) {
    PROFFER_CHECK(share.running > 0, "more tasks ended than were launched");
    return --share.running;
  });
}

void TaskPool::bar(Barred barred) { impl_->barred = std::move(barred); }

std::optional<DeclineReason> TaskPool::fill(const Offer& offer, Kind kind, std::int64_t slots, Policy& policy,
                                            Time now, std::vector<Placement>& placements) {
  const SlotLook look{offer.agent, kind, offer.id, offer.idle};
  std::optional<DeclineReason> passed;
  impl_->filling = &placements;
  for (std::int64_t slot = 0; slot < slots && !passed; ++slot) {
    const auto choice = policy.consider(look, *this, now);
    if (const auto* pass = std::get_if<Pass>(&choice)) {
      passed = pass->reason;
    } else {
      placements.push_back(impl_->launch(std::get<Take>(choice), kind, offer.agent, now));
    }
  }
  impl_->filling = nullptr;
  return passed;
}

bool TaskPool::take_admitted() { return !impl_->tree.take_admitted().empty(); }

std::int64_t TaskPool::demand(Kind kind) const {
  auto demand = impl_->tree.total_demand(kind);
  if (!impl_->tree.any_waits()) return demand;
  for (const auto& [id, job] : impl_->jobs) {
    if (impl_->tree.waits(job.leaf)) demand += running(id, kind);
  }
  return demand;
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
  if (impl_->tree.capacity(kind) != slots) impl_->tree.set_capacity(kind, slots);
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
