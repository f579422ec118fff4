#include "frameworks/session/demand_table.hpp"

#include <utility>

#include "proffer/limits.hpp"

namespace proffer::frameworks {
namespace {

/// Demand that falls is told as soon as by the heartbeats of a cluster that has some.
constexpr Duration kTellFallWithin = std::chrono::seconds(1);

}  // namespace

void DemandTable::set(Kind kind, std::int64_t units, Time now) {
  if (units_.size() == limits::kKinds && !units_.contains(kind)) return;  // unbounded, as undeclared ones are
  const auto [at, first] = units_.try_emplace(kind, units);
  const auto former = std::exchange(at->second, units);
  const bool was_suppressed = units > 0 && suppressed_.erase(kind) > 0;
  if (was_suppressed) all_suppressed_ = false;
  if (first || units > former || was_suppressed) risen_ = true;
  if (units < former && !tell_by_) tell_by_ = now + kTellFallWithin;
}

void DemandTable::set_task_size(const Resources& most, const Resources& least) {
  Quantities task(most.begin(), most.end());
  Quantities smallest(least.begin(), least.end());
  if (task_ == task && least_ == smallest) return;
  task_ = std::move(task);
  least_ = std::move(smallest);
  risen_ = true;
}

void DemandTable::suppress(const std::vector<Kind>& kinds) {
  suppressed_.insert(kinds.begin(), kinds.end());
  if (!kinds.empty()) return;
  all_suppressed_ = true;
  for (const auto& [kind, units] : units_) suppressed_.insert(kind);
}

void DemandTable::revive(const std::vector<Kind>& kinds) {
  all_suppressed_ = false;
  for (const auto kind : kinds) suppressed_.erase(kind);
  if (kinds.empty()) suppressed_.clear();
}

Demand DemandTable::to_send() {
  risen_ = false;
  tell_by_.reset();
  Demand demand{{units_.begin(), units_.end()}, task_, least_};
  for (const auto kind : suppressed_) demand.kinds[kind] = 0;
  return demand;
}

}  // namespace proffer::frameworks
