#include "study/measures/slot_account.hpp"

#include <algorithm>
#include <utility>

#include "proffer/sharing/share_tree.hpp"
#include "proffer/study/jain.hpp"

namespace proffer::study {
namespace {

/// The part of what a tenant is owed with which it counts as served: the last slots may take long, for no
/// fault of the allocator's.
constexpr double kServed = 0.95;
/// Shares and differences of shares below this many slots are what computing with real numbers leaves.
constexpr double kNothing = 1e-9;

double real(std::int64_t units) { return units >= kUnbounded ? kNoLimit : static_cast<double>(units); }

}  // namespace

void SlotAccount::begin(double now) {
  until(now);
  since_ = begin_ = std::max(since_, now);
  sums_ = {};
  sums_.tenants.resize(tenants_.size());
  sums_.pools.resize(pools_.size());
}

void SlotAccount::until(double now) {
  while (since_ < now) {
    share();
    const auto next = std::min(now, next_lapse());
    add(next - since_);
    since_ = next;
  }
}

/// Returns the next time at which a refusal lapses.
double SlotAccount::next_lapse() const {
  double next = kNoLimit;
  for (const auto number : busy_) {
    const auto& tenant = tenants_[number];
    if (!tenant.declines && tenant.refuses_until > since_) next = std::min(next, tenant.refuses_until);
  }
  return next;
}

void SlotAccount::add(double seconds) {
  Jain jain;
  IdleCount idle;
  std::int64_t running = 0;
  std::vector<DeficitCount> in_pools(pools_.size());
  for (const auto i : busy_) {
    auto& tenant = tenants_[i];
    running += tenant.running;
    const auto due = std::min(fair_[i], real(tenant.demand));
    const auto runs = static_cast<double>(tenant.running);
    const bool is_owed = due > kNothing;
    if (is_owed) jain.add(runs / due);
    if (is_owed && !tenant.service.served && runs + kNothing >= due * kServed) tenant.service.served = since_;
    idle.add(tenant.running, tenant.offered, tenant.demand,
             tenant.declines || since_ < tenant.refuses_until);
    DeficitCount own;
    own.add(due, tenant.running, tenant.declines);
    const auto deficit = own.sum() * seconds;
    sums_.deficit += deficit;
    const auto enter = [&](ServiceSums& sums) {
      sums.running += runs * seconds;
      sums.due += due * seconds;
    };
    enter(sums_.tenants[i]);
    sums_.tenants[i].deficit += deficit;
    if (!tenant.pool) continue;
    enter(sums_.pools[*tenant.pool]);
    in_pools[*tenant.pool].add(due, tenant.running, tenant.declines);
  }
  for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
    sums_.pools[pool].deficit += in_pools[pool].sum() * seconds;
  }
  if (slots_ > 0) {
    sums_.utilisation += static_cast<double>(running) / static_cast<double>(slots_) * seconds;
    sums_.slot_time += seconds;
  }
  sums_.idle += idle.of(slots_) * seconds;
  if (const auto index = jain.index()) {
    sums_.jain += *index * seconds;
    sums_.jain_time += seconds;
  }
  serve_pools();
}

/// Notes which pools run their min share, as far as they want it.
void SlotAccount::serve_pools() {
  const auto waits = [](const Pool& pool) { return pool.min_share > 0 && !pool.service.served; };
  if (std::none_of(pools_.begin(), pools_.end(), waits)) return;
  std::vector<double> runs(pools_.size());
  std::vector<double> wants(pools_.size());
  for (const auto number : busy_) {
    const auto& tenant = tenants_[number];
    if (!tenant.pool) continue;
    runs[*tenant.pool] += static_cast<double>(tenant.running);
    wants[*tenant.pool] += real(tenant.demand);
  }
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    if (waits(pools_[i]) && wants[i] > 0 && runs[i] >= std::min(pools_[i].min_share, wants[i])) {
      pools_[i].service.served = since_;
    }
  }
}

// ---- changes ----

void SlotAccount::add_tenant(std::optional<std::size_t> pool, const std::string& pool_name, double now) {
  until(now);
  tenants_.emplace_back().pool = pool;
  fair_.resize(tenants_.size());
  sums_.tenants.resize(tenants_.size());
  fair_is_stale_ = true;
  if (!pool || *pool < pools_.size()) return;
  pools_.resize(*pool + 1);
  sums_.pools.resize(pools_.size());
  for (const auto& known : plan_.allocator.pools) {
    if (known.share.name != pool_name) continue;
    pools_.back().min_share = static_cast<double>(known.share.min_share[kind_]);
  }
}

void SlotAccount::capacity(std::int64_t slots, double now) {
  if (slots == slots_) return;
  until(now);
  slots_ = slots;
  fair_is_stale_ = true;
}

void SlotAccount::demand(std::size_t number, std::int64_t units, double now) {
  until(now);
  auto& tenant = tenants_[number];
  tenant.demand = units;
  note_busy(number);
  if (units == 0) tenant.refuses_until = 0;
  if (units > 0 && !tenant.service.wanted) tenant.service.wanted = now;
  if (units > 0 && tenant.pool && !pools_[*tenant.pool].service.wanted) {
    pools_[*tenant.pool].service.wanted = now;
  }
  count_demand(number);
}

void SlotAccount::has(std::size_t number, std::int64_t more_running, std::int64_t more_offered, double now) {
  until(now);
  tenants_[number].running += more_running;
  tenants_[number].offered += more_offered;
  note_busy(number);
  if (more_running != 0) count_demand(number);
}

void SlotAccount::took(std::size_t tenant, double now) {
  if (!tenants_[tenant].declines) return;
  until(now);
  tenants_[tenant].declines = false;
}

void SlotAccount::refused(std::size_t number, double until_then, double now) {
  until(now);
  auto& tenant = tenants_[number];
  tenant.declines = true;
  tenant.refuses_until = std::max(tenant.refuses_until, until_then);
}

void SlotAccount::note_busy(std::size_t number) {
  const auto& tenant = tenants_[number];
  if (tenant.running != 0 || tenant.offered != 0 || tenant.demand != 0) {
    busy_.insert(number);
  } else {
    busy_.erase(number);
  }
}

/// One that wants nothing any more, or waits for a place, is entitled to what it runs. Shares rest on the
/// demand of who has all it wants only, so that most changes leave them as they are.
void SlotAccount::count_demand(std::size_t number) {
  auto& tenant = tenants_[number];
  const auto wants = shares_.waits(number) ? 0 : real(tenant.demand);
  const auto counted = std::max(wants, static_cast<double>(std::max<std::int64_t>(tenant.running, 0)));
  const auto before = std::exchange(tenant.counted, counted);
  const bool beyond_share = fair_[number] < std::min(before, counted);
  if (counted != before && (!beyond_share || shares_.looks_at_demand())) fair_is_stale_ = true;
}

void SlotAccount::share() {
  if (!std::exchange(fair_is_stale_, false)) return;
  std::vector<double> demands;
  demands.reserve(tenants_.size());
  for (std::size_t i = 0; i < tenants_.size(); ++i) {
    count_demand(i);
    demands.push_back(tenants_[i].counted);
  }
  fair_ = shares_.split(kind_, static_cast<double>(slots_), demands);
  fair_is_stale_ = false;
}

SlotAccount::Now SlotAccount::now(std::size_t number) {
  share();
  const auto& tenant = tenants_[number];
  return {tenant.running, tenant.offered, tenant.demand, fair_[number]};
}

Service SlotAccount::in_time(const Service& service) const {
  return service.wanted && *service.wanted >= begin_ ? service : Service{};
}

}  // namespace proffer::study
