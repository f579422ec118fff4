#include "study/measures/share_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "proffer/study/jain.hpp"

namespace proffer::study {
namespace {

constexpr std::size_t kMostSamples = 2000;
/// The part of what a tenant is owed, in percent, with which it counts as served: the last slots may take
/// long, for no fault of the allocator's.
constexpr std::int64_t kServed = 95;

}  // namespace

ShareSamples::ShareSamples(const Plan& plan, const Ledger& ledger) : ledger_(ledger), pools_(plan) {
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
  for (const auto& [kind, slots] : ledger_.capacity()) {
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
    const auto& account = ledger_.framework(id);
    const auto [running, offered] = account.has(kind);
    const auto demand = account.demands(kind);
    all_running += running;
    if (running == 0 && offered == 0 && demand == 0) continue;
    const auto at = tenant.uses.find(kind);
    const auto use = at == tenant.uses.end() ? Use{} : at->second;
    const auto fair = tree_.fair_share(tenant.leaf, kind);
    const auto due = std::min(fair, demand);
    if (due > 0) jain.add(static_cast<double>(running) / static_cast<double>(due));
    idle.add(running, offered, demand, use.declines || sample.time < use.refuses_until);
    DeficitCount own;
    own.add(due, running, use.declines);
    result.deficit += own.sum();
    if (tenant.pool) in_pools[*tenant.pool].add(due, running, use.declines);
    sample.rows.push_back({sample.time, tenant.name, std::string(kind.name()), running, offered, fair,
                           demand == kUnbounded ? -1 : demand});
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

void ShareSamples::capacity() {
  for (const auto& [kind, units] : ledger_.capacity()) tree_.set_capacity(kind, units);
}

void ShareSamples::demand(FrameworkId id, Kind kind, std::int64_t before) {
  const auto at = tenants_.find(id);
  if (at == tenants_.end()) return;
  auto& tenant = at->second;
  auto& use = tenant.uses[kind];
  const auto demand = ledger_.framework(id).demands(kind);
  if (demand > 0 && !use.wanted) use.wanted = now_;
  if (demand == 0) use.refuses_until = 0;
  if (tenant.pool && kind == Kind("map")) pools_.demand(*tenant.pool, before, demand, now_);
  tree_.set_demand(tenant.leaf, kind, demand);
}

void ShareSamples::changed(const SlotChange& change) {
  const auto at = tenants_.find(change.framework);
  if (at == tenants_.end() || change.by.running == 0) return;
  auto& tenant = at->second;
  const auto& account = ledger_.framework(change.framework);
  const auto runs = std::max<std::int64_t>(account.has(change.kind).running, 0);
  tree_.set_used(tenant.leaf, change.kind, runs);
  tree_.set_running(tenant.leaf, change.kind, runs);
  if (tenant.pool && change.kind == Kind("map")) pools_.running(*tenant.pool, change.by.running, now_);
  served(tenant, account, change.kind);
}

/// Notes when a framework that waits for what it is owed first runs it.
void ShareSamples::served(Tenant& tenant, const FrameworkAccount& account, Kind kind) {
  auto& use = tenant.uses[kind];
  if (!use.wanted || use.served) return;
  const auto owed = std::min(tree_.fair_share(tenant.leaf, kind), account.demands(kind));
  if (account.has(kind).running * 100 >= owed * kServed) use.served = now_;
}

void ShareSamples::took(const OpenOffer& offer) {
  const auto at = tenants_.find(offer.framework);
  if (at == tenants_.end()) return;
  for (const auto& [kind, units] : offer.resources) at->second.uses[kind].declines = false;
}

void ShareSamples::refused(const OpenOffer& offer, std::optional<double> seconds) {
  const auto at = tenants_.find(offer.framework);
  if (at == tenants_.end()) return;
  const auto until = seconds ? now_ + *seconds : std::numeric_limits<double>::infinity();
  for (const auto& [kind, units] : offer.resources) {
    auto& use = at->second.uses[kind];
    use.declines = true;
    use.refuses_until = std::max(use.refuses_until, until);
  }
}

/// Measures map slots; frameworks that never got there do not count.
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
  for (const auto& [kind, slots] : ledger_.capacity()) measure_kind(kind, sums_of(kind), measures);
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

/// A tenant that has nothing and wants nothing has no rows, except one of zeros after its last: otherwise a
/// plot would go on with what it had before.
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
