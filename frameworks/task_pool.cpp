#include "proffer/frameworks/task_pool.hpp"

#include <map>
#include <utility>

#include "frameworks/job_order.hpp"
#include "frameworks/task_index.hpp"
#include "proffer/check.hpp"

namespace proffer {

struct TaskPool::Impl {
  struct Share {  // of one job and kind
    TaskIndex unlaunched;
    std::int64_t running = 0;
  };
  struct Job {
    std::string name;
    std::uint64_t submitted = 0;
    std::map<Kind, Share> shares;
  };
  struct Totals {  // of one kind
    JobOrder order;
    std::int64_t unlaunched = 0;
    std::int64_t running = 0;
  };

  explicit Impl(JobMode in) : mode(in) {}

  JobMode mode;
  std::map<JobId, Job> jobs;
  std::map<Kind, Totals> totals;
  std::uint64_t next_submitted = 0;

  Job& job(JobId id) {
    const auto at = jobs.find(id);
    PROFFER_CHECK(at != jobs.end(), "no such job in the pool");
    return at->second;
  }
  const Share* find(JobId id, Kind kind) const {
    const auto at = jobs.find(id);
    if (at == jobs.end()) return nullptr;
    const auto share = at->second.shares.find(kind);
    return share == at->second.shares.end() ? nullptr : &share->second;
  }

  JobOrder::Rank rank(const Job& of, const Share& share) const {
    return {mode == JobMode::fair ? share.running : 0, of.submitted};
  }

  /// Every change of a share goes through here, so that order and totals follow.
  template <class Apply>
  auto change(JobId id, Kind kind, Apply&& apply) {
    auto& owner = job(id);
    auto& share = owner.shares[kind];
    auto& total = totals[kind];
    if (share.unlaunched.size() > 0) total.order.erase(rank(owner, share));
    total.unlaunched -= static_cast<std::int64_t>(share.unlaunched.size());
    total.running -= share.running;
    auto result = apply(share);
    total.unlaunched += static_cast<std::int64_t>(share.unlaunched.size());
    total.running += share.running;
    if (share.unlaunched.size() > 0) total.order.insert(id, rank(owner, share));
    return result;
  }

  Placement launch(const Take& take, Kind kind, const AgentInfo& agent) {
    const auto taken = change(take.job, kind, [&](Share& share) {
      ++share.running;
      return share.unlaunched.take_nearest(agent);
    });
    PROFFER_CHECK(taken.locality == take.locality, "a policy misjudged how near a task would be");
    return {take.job, taken.task, taken.locality, taken.preferred, take.waited};
  }
};

TaskPool::TaskPool(JobMode mode) : impl_(std::make_unique<Impl>(mode)) {}
TaskPool::~TaskPool() = default;

void TaskPool::add_job(JobId job, std::string name) {
  const bool fresh = impl_->jobs.emplace(job, Impl::Job{std::move(name), impl_->next_submitted++, {}}).second;
  PROFFER_CHECK(fresh, "the pool has a job of that id");
}

void TaskPool::remove_job(JobId job) {
  const auto& leaving = impl_->job(job);
  for (const auto& [kind, share] : leaving.shares) {
    PROFFER_CHECK(share.running == 0 && share.unlaunched.size() == 0,
                  "job " + leaving.name + " has tasks and cannot be removed");
  }
  impl_->jobs.erase(job);
}

void TaskPool::add(JobId job, PendingTask task) {
  const auto kind = task.kind;
  impl_->change(job, kind, [&](Impl::Share& share) {
    share.unlaunched.add(std::move(task));
    return true;
  });
}

bool TaskPool::remove(JobId job, const TaskId& task) {
  for (const auto& [kind, share] : impl_->job(job).shares) {
    if (impl_->change(job, kind, [&](Impl::Share& s) { return s.unlaunched.remove(task); })) return true;
  }
  return false;
}

void TaskPool::ended(JobId job, Kind kind) {
  impl_->change(job, kind, [](Impl::Share& share) {
    PROFFER_CHECK(share.running > 0, "more tasks ended than were launched");
    return --share.running;
  });
}

std::optional<DeclineReason> TaskPool::fill(const Offer& offer, Kind kind, std::int64_t slots, Policy& policy,
                                            Time now, std::vector<Placement>& placements) {
  const SlotLook look{offer.agent, kind, offer.id, offer.idle};
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    const auto choice = policy.consider(look, *this, now);
    if (const auto* pass = std::get_if<Pass>(&choice)) return pass->reason;
    placements.push_back(impl_->launch(std::get<Take>(choice), kind, offer.agent));
  }
  return {};
}

std::int64_t TaskPool::demand(Kind kind) const {
  const auto at = impl_->totals.find(kind);
  return at == impl_->totals.end() ? 0 : at->second.unlaunched + at->second.running;
}

std::span<const JobId> TaskPool::in_order(Kind kind) const {
  const auto at = impl_->totals.find(kind);
  return at == impl_->totals.end() ? std::span<const JobId>{} : at->second.order.jobs();
}

bool TaskPool::has_preferences(JobId job, Kind kind) const {
  const auto* share = impl_->find(job, kind);
  return share != nullptr && share->unlaunched.has_preferences();
}

std::optional<Locality> TaskPool::nearest(JobId job, Kind kind, const AgentInfo& agent) const {
  const auto* share = impl_->find(job, kind);
  return share == nullptr ? std::nullopt : share->unlaunched.nearest(agent);
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

void TaskPool::check_invariants() const {
  std::map<Kind, std::int64_t> demands;
  std::map<Kind, std::size_t> wanting;
  for (const auto& [id, job] : impl_->jobs) {
    for (const auto& [kind, share] : job.shares) {
      share.unlaunched.check_invariants();
      demands[kind] += static_cast<std::int64_t>(share.unlaunched.size()) + share.running;
      wanting[kind] += share.unlaunched.size() > 0 ? 1 : 0;
    }
  }
  for (const auto& [kind, total] : impl_->totals) {
    PROFFER_CHECK(demands[kind] == total.unlaunched + total.running, "a kind's demand is miscounted");
    PROFFER_CHECK(wanting[kind] == total.order.size() && total.order.sorted(), "jobs are out of order");
  }
}

}  // namespace proffer
