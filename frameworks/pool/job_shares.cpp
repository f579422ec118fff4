#include "frameworks/pool/job_shares.hpp"

#include <algorithm>
#include <utility>

#include "proffer/check.hpp"

namespace proffer::frameworks {

void JobShares::set_capacity(Kind kind, std::int64_t slots) {
  if (tree_.capacity(kind) != slots) tree_.set_capacity(kind, slots);
}

void JobShares::add(JobId job, std::string name, const JobPlace& place) {
  const auto pool = tree_.has_pool(place.pool) ? place.pool : std::string();
  LeafSpec spec{.name = name, .submitted = next_submitted_++, .priority = place.priority};
  spec.user = place.user;
  spec.due = place.due;
  const auto leaf = tree_.add_leaf(pool, std::move(spec)).value();
  const bool is_new = jobs_.emplace(job, Job{std::move(name), leaf, {}, place.need}).second;
  PROFFER_CHECK(is_new, "the pool has a job of that id");
  by_leaf_.resize(std::max<std::size_t>(by_leaf_.size(), leaf.value + 1));
  by_leaf_[leaf.value] = job;
  reshaped();
}

void JobShares::move(JobId job, std::string_view pool) {
  const auto moved = tree_.move_leaf(leaf_of(job), pool);
  PROFFER_CHECK(moved.ok(), "a job moves to a pool that there is");
  reshaped();
}

void JobShares::remove(JobId job) {
  const auto& leaving = find_job(job);
  for (const auto& [kind, share] : leaving.shares) {
    PROFFER_CHECK(share.demand() == 0, "job " + leaving.name + " has tasks and cannot be removed");
  }
  tree_.remove_leaf(leaving.leaf);
  jobs_.erase(job);
  reshaped();
}

JobShares::Job& JobShares::find_job(JobId job) {
  const auto at = jobs_.find(job);
  PROFFER_CHECK(at != jobs_.end(), "no such job in the pool");
  return at->second;
}

const JobShares::Job& JobShares::find_job(JobId job) const {
  const auto at = jobs_.find(job);
  PROFFER_CHECK(at != jobs_.end(), "no such job in the pool");
  return at->second;
}

const JobShares::Share* JobShares::find(JobId job, Kind kind) const {
  const auto at = jobs_.find(job);
  if (at == jobs_.end()) return nullptr;
  const auto share = at->second.shares.find(kind);
  return share == at->second.shares.end() ? nullptr : &share->second;
}

void JobShares::note_change(const Job& job, Kind kind, const Share& share) {
  for (const auto& [taken, units] : job.takes(kind)) {
    tree_.set_demand(job.leaf, taken, units * share.demand());
    tree_.set_used(job.leaf, taken, units * (share.running + share.committing));
    tree_.set_running(job.leaf, taken, units * share.running);
    orders_[taken].stale = true;
  }
  if (dominant(kind)) reshaped();  // slots of one kind count in the order of all
}

Resources JobShares::need(JobId job, Kind kind) const { return find_job(job).takes(kind); }

JobShares::Needs JobShares::needs() const {
  Needs needs;
  for (const auto& [id, job] : jobs_) {
    const auto cpus = job.shares.find(kCpus);
    if (cpus == job.shares.end() || cpus->second.unlaunched.size() == 0) continue;
    if (needs.most.empty()) needs.least = job.need;
    for (const auto kind : kBulkKinds) {
      needs.most.set(kind, std::max(needs.most[kind], job.need[kind]));
      needs.least.set(kind, std::min(needs.least[kind], job.need[kind]));
    }
  }
  return needs;
}

std::int64_t JobShares::least_cpus() const {
  std::int64_t least = 0;
  for (const auto& [id, job] : jobs_) {
    const auto cpus = job.need[kCpus];
    if (cpus > 0 && (least == 0 || cpus < least)) least = cpus;
  }
  return std::max<std::int64_t>(least, 1);
}

void JobShares::count_on(JobId job, Kind kind, Time until) {
  PROFFER_CHECK(commits_.empty() || commits_.back().until <= until, "time runs back");
  commits_.push_back({until, job, kind});
  change(job, kind, [](Share& share) { return ++share.committing; });
}

void JobShares::settle_commits(Time now) {
  for (; !commits_.empty() && commits_.front().until <= now; commits_.pop_front()) {
    const auto& [until, job, kind] = commits_.front();
    if (contains(job)) change(job, kind, [](Share& share) { return --share.committing; });
  }
}

std::optional<PendingTask> JobShares::take_back(JobId job, const TaskId& task) {
  for (const auto& [kind, share] : find_job(job).shares) {
    auto taken = change(job, kind, [&](Share& s) { return s.unlaunched.remove(task); });
    if (taken) return taken;
  }
  return {};
}

void JobShares::reshaped() {
  for (auto& [kind, order] : orders_) order.stale = true;
}

void JobShares::entitle(Kind kind, std::int64_t slots) {
  if (!ordered_by_entitlement(kind)) return;
  auto& order = orders_[kind];
  if (std::exchange(order.entitled, slots) == slots) return;
  order.stale = true;
  if (dominant(kind)) reshaped();
}

void JobShares::use_entitlements(Kind kind) {
  for (const auto& [each, order] : orders_) {
    if (dominant_ || each == kind || (is_bulk(kind) && is_bulk(each))) set_capacity(each, order.entitled);
  }
}

std::vector<JobId> JobShares::order_now(Kind kind) {
  // The tree's capacity is whatever somebody asked for shares of last; the order must not depend on that.
  if (ordered_by_entitlement(kind)) use_entitlements(kind);
  std::vector<JobId> order;
  static_cast<void>(tree_.neediest(kind, [&](LeafId leaf) {
    order.push_back(job_of(leaf));
    return false;
  }));
  return order;
}

std::span<const JobId> JobShares::in_order(Kind kind) {
  const auto at = orders_.find(kind);
  if (at == orders_.end()) return {};
  auto& order = at->second;
  if (std::exchange(order.stale, false)) order.jobs = order_now(kind);
  return order.jobs;
}

std::vector<Kind> JobShares::kinds() const {
  std::vector<Kind> kinds;
  for (const auto& [kind, order] : orders_) kinds.push_back(kind);
  return kinds;
}

void JobShares::check_invariants() {
  tree_.check_invariants();
  for (const auto& [id, job] : jobs_) {
    PROFFER_CHECK(job_of(job.leaf) == id, "a job under another's leaf");
    for (const auto& [kind, share] : job.shares) {
      share.unlaunched.check_invariants();
      for (const auto& [taken, units] : job.takes(kind)) {
        PROFFER_CHECK(tree_.demand(job.leaf, taken) == units * share.demand() &&
                          tree_.used(job.leaf, taken) == units * (share.running + share.committing),
                      "the tree does not know what a job wants");
      }
    }
  }
  for (const auto& [kind, order] : orders_) {
    PROFFER_CHECK(order.stale || order.jobs == order_now(kind), "jobs are out of order");
  }
}

}  // namespace proffer::frameworks
