#include "study/measures/share_samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "study/jain.hpp"

namespace proffer::study {
namespace {

constexpr std::size_t kMostSamples = 2000;
/// Of what a tenant is owed, in percent: the last slots may take long, for no fault of the allocator's.
constexpr std::int64_t kServed = 95;
/// More tenants than these are summed up only.
constexpr std::size_t kMostNamed = 32;

}  // namespace

ShareSamples::ShareSamples(const Plan& plan) {
  for (const auto& pool : plan.allocator.pools) static_cast<void>(tree_.declare_pool(pool.share));
  for (const auto& framework : plan.frameworks) users_[framework.name] = framework.user;
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
    Jain jain;
    std::int64_t all_running = 0;
    std::int64_t deficit = 0;
    std::int64_t declined = 0;
    for (const auto& [id, tenant] : tenants_) {
      const auto at = tenant.uses.find(kind);
      if (at == tenant.uses.end()) continue;
      const auto& use = at->second;
      all_running += use.running;
      const auto fair = tree_.fair_share(tenant.leaf, kind);
      if (use.running == 0 && use.offered == 0 && use.demand == 0) continue;
      const auto due = std::min(fair, use.demand);
      if (due > 0) jain.add(static_cast<double>(use.running) / static_cast<double>(due));
      const auto lacks = std::max<std::int64_t>(due - use.running, 0);
      deficit += lacks;
      if (use.declines) declined += lacks;
      sample.rows.push_back({time, tenant.name, std::string(kind.name()), use.running, use.offered, fair,
                             use.demand == kUnbounded ? -1 : use.demand});
    }
    if (const auto index = jain.index()) sample.jain[kind] = *index;
    if (slots > 0) sample.utilisation[kind] = static_cast<double>(all_running) / static_cast<double>(slots);
    sample.deficit[kind] = static_cast<double>(deficit);
    sample.declined[kind] = static_cast<double>(declined);
  }
  samples_.push_back(std::move(sample));
}

void ShareSamples::framework(FrameworkId id, const std::string& name, const std::string& pool) {
  if (tenants_.contains(id)) return;
  if (!pool.empty() && !tree_.has_pool(pool)) static_cast<void>(tree_.declare_pool({pool, 1000, {}}));
  const auto leaf = tree_.add_leaf(pool, {.name = name, .submitted = submitted_++, .user = users_[name]});
  if (leaf) tenants_[id] = {name, *leaf, {}};
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

void ShareSamples::demand(FrameworkId id, Kind kind, std::int64_t units) {
  const auto at = tenants_.find(id);
  if (at == tenants_.end()) return;
  auto& use = at->second.uses[kind];
  use.demand = units < 0 ? kUnbounded : units;
  if (use.demand > 0 && !use.wanted) use.wanted = now_;
  tree_.set_demand(at->second.leaf, kind, use.demand);
}

void ShareSamples::running(FrameworkId id, Kind kind, std::int64_t change) {
  const auto at = tenants_.find(id);
  if (at == tenants_.end()) return;
  auto& use = at->second.uses[kind];
  use.running += change;
  if (!use.wanted || use.served) return;
  if (use.running * 100 >= owed(at->second, kind) * kServed) use.served = now_;
}

std::int64_t ShareSamples::owed(const Tenant& tenant, Kind kind) const {
  return std::min(tree_.fair_share(tenant.leaf, kind), tenant.uses.at(kind).demand);
}

void ShareSamples::offered(FrameworkId id, Kind kind, std::int64_t change) {
  if (const auto at = tenants_.find(id); at != tenants_.end()) at->second.uses[kind].offered += change;
}

void ShareSamples::answered(FrameworkId id, Kind kind, bool declined) {
  if (const auto at = tenants_.find(id); at != tenants_.end()) at->second.uses[kind].declines = declined;
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

void ShareSamples::measure(std::map<std::string, double>& measures) const {
  measure_service(measures);
  std::map<Kind, std::pair<double, int>> jain;
  std::map<Kind, double> utilisation;
  std::map<Kind, double> deficit;
  std::map<Kind, double> declined;
  for (const auto& sample : samples_) {
    for (const auto& [kind, index] : sample.jain) {
      jain[kind].first += index;
      ++jain[kind].second;
    }
    for (const auto& [kind, used] : sample.utilisation) utilisation[kind] += used;
    for (const auto& [kind, slots] : sample.deficit) deficit[kind] += slots * interval_;
    for (const auto& [kind, slots] : sample.declined) declined[kind] += slots * interval_;
  }
  for (const auto& [kind, sum] : jain) measures[fmt::format("jain.{}", kind.name())] = sum.first / sum.second;
  if (const auto maps = jain.find(Kind("map")); maps != jain.end()) {
    measures["jain"] = maps->second.first / maps->second.second;
  }
  const auto count = static_cast<double>(samples_.size());
  for (const auto& [kind, sum] : utilisation)
    measures[fmt::format("utilisation.{}", kind.name())] = sum / count;
  for (const auto& [kind, sum] : deficit) {
    measures[fmt::format("deficit.{}", kind.name())] = sum;
    measures[fmt::format("deficit_declined.{}", kind.name())] = declined[kind];
    measures[fmt::format("deficit_imposed.{}", kind.name())] = sum - declined[kind];
  }
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
