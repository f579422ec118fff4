#include "study/measures/share_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "study/jain.hpp"

namespace proffer::study {
namespace {

constexpr std::size_t kMostSamples = 2000;
/// Of what a tenant is owed, in percent: the last slots may take long, for no fault of the allocator's.
constexpr std::int64_t kServed = 95;

}  // namespace

ShareSamples::ShareSamples(const Plan& plan) : pools_(plan) {
  for (const auto& pool : plan.allocator.pools) static_cast<void>(tree_.declare_pool(pool.share));
  for (const auto& user : plan.allocator.users) tree_.set_user_limit(user.name, user.max_running);
  for (const auto& framework : plan.frameworks)
    planned_[framework.name] = {framework.user, framework.priority};
}

void ShareSamples::until(double now) {
  now_ = now;
  for (; static_cast<double>(next_) * interval_ < now; ++next_) {
    take(static_cast<double>(next_) * interval_);
    if (samples_.size() > kMostSamples) thin_out();
  }
}

void ShareSamples::thin_out() {
  std::vector<Sample> kept;
  for (std::size_t i = 0; i < samples_.size(); i += 2) kept.push_back(std::move(samples_[i]));
  samples_ = std::move(kept);
  interval_ *= 2;
  next_ = samples_.size() - 1;  // the loop counts one on
}

void ShareSamples::take(double time) {
  Sample sample;
  sample.time = time;
  for (const auto& [kind, slots] : capacity_) {
    auto of_kind = sample_of(kind, slots, sample);
    sample.kinds.emplace(kind, std::move(of_kind));
  }
  samples_.push_back(std::move(sample));
}

ShareSamples::KindSample ShareSamples::sample_of(Kind kind, std::int64_t slots, Sample& sample) const {
  std::vector<DeficitCount> in_pools(pools_.size());
  KindSample result;
  Jain jain;
  IdleCount idle;
  std::int64_t all_running = 0;
  for (const auto& [id, tenant] : tenants_) {
    const auto at = tenant.uses.find(kind);
    if (at == tenant.uses.end()) continue;
    const auto& use = at->second;
    all_running += use.running;
    if (use.running == 0 && use.offered == 0 && use.demand == 0) continue;
    const auto fair = tree_.fair_share(tenant.leaf, kind);
    const auto due = std::min(fair, use.demand);
    if (due > 0) jain.add(static_cast<double>(use.running) / static_cast<double>(due));
    idle.add(use.running, use.offered, use.demand, use.declines || sample.time < use.refuses_until);
    DeficitCount own;
    own.add(due, use.running, use.declines);
    result.deficit += own.sum();
    if (tenant.pool) in_pools[*tenant.pool].add(due, use.running, use.declines);
    sample.rows.push_back({sample.time, tenant.name, std::string(kind.name()), use.running, use.offered, fair,
                           use.demand == kUnbounded ? -1 : use.demand});
  }
  result.jain = jain.index();
  if (slots > 0) result.utilisation = static_cast<double>(all_running) / static_cast<double>(slots);
  result.idle = idle.of(slots);
  for (const auto& pool : in_pools) result.pools.push_back(pool.sum());
  return result;
}

void ShareSamples::framework(FrameworkId id, const std::string& name, const std::string& pool) {
  if (tenants_.contains(id)) return;
  if (!pool.empty() && !tree_.has_pool(pool)) static_cast<void>(tree_.declare_pool({pool, 1000, {}}));
  const auto& planned = planned_[name];
  const auto leaf = tree_.add_leaf(
      pool, {.name = name, .submitted = submitted_++, .priority = planned.priority, .user = planned.user});
  if (leaf) tenants_[id] = {name, *leaf, pools_.number_of(pool), {}};
}

void ShareSamples::agent(AgentId id, const Resources& slots) {
  agent_lost(id);
  agents_[id] = slots;
  add_capacity(slots, 1);
}

void ShareSamples::agent_lost(AgentId id) {
  const auto at = agents_.find(id);
  if (at == agents_.end()) return;
  add_capacity(at->second, -1);
  agents_.erase(at);
}

void ShareSamples::add_capacity(const Resources& slots, std::int64_t times) {
  for (const auto& [kind, units] : slots) {
    capacity_[kind] += times * units;
    tree_.set_capacity(kind, capacity_[kind]);
  }
}

ShareSamples::Use* ShareSamples::use_of(FrameworkId id, Kind kind) {
  const auto at = tenants_.find(id);
  return at == tenants_.end() ? nullptr : &at->second.uses[kind];
}

void ShareSamples::demand(FrameworkId id, Kind kind, std::int64_t units) {
  auto* use = use_of(id, kind);
  if (use == nullptr) return;
  const auto& tenant = tenants_.at(id);
  const auto before = use->demand;
  use->demand = units < 0 ? kUnbounded : units;
  if (use->demand > 0 && !use->wanted) use->wanted = now_;
  if (use->demand == 0) use->refuses_until = 0;
  if (tenant.pool && kind == Kind("map")) pools_.demand(*tenant.pool, before, use->demand, now_);
  tree_.set_demand(tenant.leaf, kind, use->demand);
}

void ShareSamples::running(FrameworkId id, Kind kind, std::int64_t change) {
  const auto at = tenants_.find(id);
  if (at == tenants_.end()) return;
  const auto& tenant = at->second;
  auto& use = at->second.uses[kind];
  use.running += change;
  const auto runs = std::max<std::int64_t>(use.running, 0);
  tree_.set_used(tenant.leaf, kind, runs);
  tree_.set_running(tenant.leaf, kind, runs);
  if (tenant.pool && kind == Kind("map")) pools_.running(*tenant.pool, change, now_);
  if (!use.wanted || use.served) return;
  if (use.running * 100 >= owed(tenant, kind) * kServed) use.served = now_;
}

std::int64_t ShareSamples::owed(const Tenant& tenant, Kind kind) const {
  return std::min(tree_.fair_share(tenant.leaf, kind), tenant.uses.at(kind).demand);
}

void ShareSamples::offered(FrameworkId id, Kind kind, std::int64_t change) {
  if (auto* use = use_of(id, kind); use != nullptr) use->offered += change;
}

void ShareSamples::took(FrameworkId id, Kind kind) {
  if (auto* use = use_of(id, kind); use != nullptr) use->declines = false;
}

void ShareSamples::refused(FrameworkId id, Kind kind, std::optional<double> seconds) {
  auto* use = use_of(id, kind);
  if (use == nullptr) return;
  use->declines = true;
  const auto until = seconds ? now_ + *seconds : std::numeric_limits<double>::infinity();
  use->refuses_until = std::max(use->refuses_until, until);
}

/// Of maps; those that never got there do not count.
void ShareSamples::measure_service(std::map<std::string, double>& measures) const {
  double sum = 0;
  int served = 0;
  for (const auto& [id, tenant] : tenants_) {
    const auto at = tenant.uses.find(Kind("map"));
    if (at == tenant.uses.end() || !at->second.served) continue;
    const auto time = *at->second.served - *at->second.wanted;
    if (tenants_.size() <= kMostNamed) measures[fmt::format("time_to_share.{}", tenant.name)] = time;
    sum += time;
    ++served;
  }
  if (served > 0) measures["time_to_share"] = sum / served;
}

ShareSamples::KindSums ShareSamples::sums_of(Kind kind) const {
  KindSums sums;
  sums.pools.resize(pools_.size());
  for (const auto& sample : samples_) {
    const auto at = sample.kinds.find(kind);
    if (at == sample.kinds.end()) continue;
    const auto& of_kind = at->second;
    if (of_kind.jain) sums.jain += *of_kind.jain;
    if (of_kind.jain) ++sums.jains;
    sums.utilisation += of_kind.utilisation.value_or(0);
    sums.deficit += of_kind.deficit * interval_;
    sums.idle += of_kind.idle * interval_;
    for (std::size_t pool = 0; pool < of_kind.pools.size(); ++pool) {
      sums.pools[pool] += of_kind.pools[pool] * interval_;
    }
  }
  return sums;
}

void ShareSamples::measure(std::map<std::string, double>& measures) const {
  measure_service(measures);
  pools_.measure(measures);
  if (samples_.empty()) return;
  for (const auto& [kind, slots] : capacity_) measure_kind(kind, sums_of(kind), measures);
}

void ShareSamples::measure_kind(Kind kind, const KindSums& sums,
                                std::map<std::string, double>& measures) const {
  const auto name = kind.name();
  if (sums.jains > 0) {
    const auto jain = sums.jain / sums.jains;
    measures[fmt::format("jain.{}", name)] = jain;
    if (kind == Kind("map")) measures["jain"] = jain;
  }
  measures[fmt::format("utilisation.{}", name)] = sums.utilisation / static_cast<double>(samples_.size());
  const auto set_deficit = [&](const std::string& of, const Deficit& deficit) {
    measures["deficit." + of] = deficit.all;
    measures["deficit_declined." + of] = deficit.declined;
    measures["deficit_imposed." + of] = deficit.imposed();
  };
  set_deficit(std::string(name), sums.deficit);
  for (std::size_t pool = 0; pool < sums.pools.size() && pools_.size() <= kMostNamed; ++pool) {
    set_deficit(fmt::format("{}.{}", name, pools_.name(pool)), sums.pools[pool]);
  }
  measures[fmt::format("wasted.{}", name)] = sums.idle.wasted();
  measures[fmt::format("wasted_on_offer.{}", name)] = sums.idle.on_offer;
  measures[fmt::format("wasted_declined.{}", name)] = sums.idle.declined;
  measures[fmt::format("wasted_withheld.{}", name)] = sums.idle.withheld;
  measures[fmt::format("idle_unwanted.{}", name)] = sums.idle.unwanted;
}

/// A tenant that has nothing and wants nothing has no rows, but for one of zeros at the end of its last:
/// otherwise a plot would go on with what it had before.
std::vector<ShareRow> ShareSamples::rows() const {
  std::vector<ShareRow> rows;
  std::set<std::pair<std::string, std::string>> busy;  // framework and kind
  for (const auto& sample : samples_) {
    auto idle = std::exchange(busy, {});
    for (const auto& row : sample.rows) {
      idle.erase({row.framework, row.kind});
      busy.insert({row.framework, row.kind});
    }
    rows.insert(rows.end(), sample.rows.begin(), sample.rows.end());
    for (const auto& [framework, kind] : idle) rows.push_back({sample.time, framework, kind, 0, 0, 0, 0});
  }
  return rows;
}

}  // namespace proffer::study
