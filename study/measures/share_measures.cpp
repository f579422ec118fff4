#include "study/measures/share_measures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "proffer/bulk.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::study {

ShareMeasures::ShareMeasures(const Plan& plan) : plan_(plan), shares_(plan) {}

void ShareMeasures::until(double now) {
  now_ = now;
  while (rows_.next() < now) rows_.take(sample());
}

std::vector<ShareRow> ShareMeasures::sample() {
  std::vector<ShareRow> rows;
  for (auto& [kind, account] : accounts_) {
    account.until(rows_.next());
    for (std::size_t i = 0; i < tenants_.size(); ++i) {
      const auto at = account.now(i);
      if (!at.busy()) continue;
      const auto fair = is_bulk(kind) ? -1 : at.fair;
      rows.push_back({rows_.next(), tenants_[i].name, std::string(kind.name()), at.running, at.offered, fair,
                      at.demand == kUnbounded ? -1 : at.demand});
    }
  }
  return rows;
}

void ShareMeasures::begin(double now) {
  begin_ = now;
  for (auto& [kind, account] : accounts_) account.begin(now);
}

// ---- changes ----

SlotAccount& ShareMeasures::account(Kind kind) {
  const auto at = accounts_.find(kind);
  if (at != accounts_.end()) return at->second;
  auto& account = accounts_.try_emplace(kind, plan_, kind, shares_).first->second;
  account.begin(begin_);
  for (const auto& tenant : tenants_) {
    account.add_tenant(tenant.pool, tenant.pool ? pools_[*tenant.pool] : "", now_);
  }
  return account;
}

std::optional<std::size_t> ShareMeasures::pool_number(const std::string& pool) {
  if (pool.empty()) return {};
  const auto at = std::find(pools_.begin(), pools_.end(), pool);
  const auto number = static_cast<std::size_t>(at - pools_.begin());
  if (at == pools_.end()) pools_.push_back(pool);
  return number;
}

void ShareMeasures::framework(FrameworkId id, const std::string& name, const std::string& pool) {
  if (!numbers_.try_emplace(id, tenants_.size()).second) return;
  const auto planned = std::find_if(plan_.frameworks.begin(), plan_.frameworks.end(),
                                    [&](const auto& framework) { return framework.name == name; });
  FairShares::Tenant tenant{name, pool, {}, Priority::normal};
  if (planned != plan_.frameworks.end()) {
    tenant.user = planned->user;
    tenant.priority = planned->priority;
  }
  const auto number = pool_number(pool);
  for (auto& [kind, account] : accounts_) account.until(now_);
  shares_.add(tenant);
  tenants_.push_back({name, number});
  for (auto& [kind, account] : accounts_) account.add_tenant(number, pool, now_);
}

const std::string& ShareMeasures::pool_of(FrameworkId id) const {
  static const std::string kRoot;
  const auto at = numbers_.find(id);
  if (at == numbers_.end() || !tenants_[at->second].pool) return kRoot;
  return pools_[*tenants_[at->second].pool];
}

void ShareMeasures::capacity(const std::map<Kind, std::int64_t>& slots) {
  for (const auto& [kind, units] : slots) account(kind).capacity(units, now_);
}

void ShareMeasures::demand(FrameworkId id, Kind kind, std::int64_t units) {
  const auto at = numbers_.find(id);
  if (at != numbers_.end()) account(kind).demand(at->second, units, now_);
}

void ShareMeasures::changed(const SlotChange& change) {
  const auto at = numbers_.find(change.framework);
  if (at == numbers_.end()) return;
  account(change.kind).has(at->second, change.by.running, change.by.offered, now_);
}

void ShareMeasures::took(const OpenOffer& offer) {
  const auto at = numbers_.find(offer.framework);
  if (at == numbers_.end()) return;
  for (const auto& [kind, units] : offer.resources) account(kind).took(at->second, now_);
}

void ShareMeasures::refused(const OpenOffer& offer, std::optional<double> seconds) {
  const auto at = numbers_.find(offer.framework);
  if (at == numbers_.end()) return;
  const auto until_then = seconds ? now_ + *seconds : kNoLimit;
  for (const auto& [kind, units] : offer.resources) account(kind).refused(at->second, until_then, now_);
}

// ---- measures ----

void ShareMeasures::measure(double now, std::map<std::string, double>& measures, TenantMeasures& tenants) {
  for (auto& [kind, account] : accounts_) {
    account.until(now);
    if (now <= begin_) continue;
    measure_kind(kind, account.sums(), measures);
    measure_tenants(kind, account.sums(), now - begin_, tenants);
  }
  measure_service(measures);
  measure_min_shares(measures);
}

namespace {

void set_deficit(const std::string& of, const Deficit& deficit, std::map<std::string, double>& measures) {
  measures["deficit." + of] = deficit.all;
  measures["deficit_declined." + of] = deficit.declined;
  measures["deficit_imposed." + of] = deficit.imposed();
}

}  // namespace

void ShareMeasures::measure_kind(Kind kind, const SlotAccount::Sums& sums,
                                 std::map<std::string, double>& measures) {
  const std::string name(kind.name());
  if (sums.slot_time > 0) measures["utilisation." + name] = sums.utilisation / sums.slot_time;
  if (is_bulk(kind)) return;  // what is owed of one kind depends on the others
  if (sums.jain_time > 0) {
    const auto jain = sums.jain / sums.jain_time;
    measures["jain." + name] = jain;
    if (kind == Kind("map")) measures["jain"] = jain;
  }
  set_deficit(name, sums.deficit, measures);
  measures["wasted." + name] = sums.idle.wasted();
  measures["wasted_on_offer." + name] = sums.idle.on_offer;
  measures["wasted_declined." + name] = sums.idle.declined;
  measures["wasted_withheld." + name] = sums.idle.withheld;
  measures["idle_unwanted." + name] = sums.idle.unwanted;
}

void ShareMeasures::measure_tenants(Kind kind, const SlotAccount::Sums& sums, double seconds,
                                    TenantMeasures& tenants) const {
  const std::string name(kind.name());
  const auto measure = [&](const ServiceSums& of, std::map<std::string, double>& measures) {
    measures["running." + name] = of.running / seconds;
    if (is_bulk(kind)) return;
    if (of.due > 0) measures["share." + name] = of.running / of.due;
    set_deficit(name, of.deficit, measures);
  };
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    measure(sums.tenants[i], tenants.of("framework", tenants_[i].name));
  }
  for (std::size_t i = 0; i < pools_.size(); ++i) measure(sums.pools[i], tenants.of("pool", pools_[i]));
}

void ShareMeasures::measure_min_shares(std::map<std::string, double>& measures) const {
  const auto maps = accounts_.find(Kind("map"));
  if (maps == accounts_.end() || pools_.size() > kMostNamed) return;
  for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
    const auto service = maps->second.min_service(pool);
    if (!service.served) continue;
    measures[fmt::format("time_to_min_share.{}", pools_[pool])] = *service.served - *service.wanted;
  }
}

/// Measures map slots; frameworks that never got there do not count.
void ShareMeasures::measure_service(std::map<std::string, double>& measures) const {
  const auto maps = accounts_.find(Kind("map"));
  if (maps == accounts_.end()) return;
  double sum = 0;
  int served = 0;
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    const auto service = maps->second.service(i);
    if (!service.served) continue;
    const auto time = *service.served - *service.wanted;
    if (tenants_.size() <= kMostNamed) measures[fmt::format("time_to_share.{}", tenants_[i].name)] = time;
    sum += time;
    ++served;
  }
  if (served > 0) measures["time_to_share"] = sum / served;
}

}  // namespace proffer::study
