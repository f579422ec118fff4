#include "allocator/tables/demand_book.hpp"

#include <algorithm>

#include "proffer/bulk.hpp"

namespace proffer::allocator {

void DemandBook::declare(const Demand& demand) {
  for (const auto& [kind, units] : demand.kinds) {
    declared_[kind] = std::min(units, kUnbounded);
    if (units > 0) revive({kind});
    if (kind != kCpus) continue;
    const auto& least = demand.least.empty() ? demand.task : demand.least;
    task_size_ = Resources(demand.task.begin(), demand.task.end());
    least_size_ = Resources(least.begin(), least.end());
  }
}

void DemandBook::suppress(const std::vector<Kind>& kinds) {
  if (kinds.empty()) {
    all_suppressed_ = true;
    exempt_.clear();
  }
  for (const auto kind : kinds) {
    suppressed_.insert(kind);
    exempt_.erase(kind);
  }
}

void DemandBook::revive(const std::vector<Kind>& kinds) {
  if (kinds.empty()) {
    all_suppressed_ = false;
    exempt_.clear();
    suppressed_.clear();
  }
  for (const auto kind : kinds) {
    suppressed_.erase(kind);
    if (all_suppressed_) exempt_.insert(kind);
  }
}

std::int64_t DemandBook::effective(Kind kind) const {
  if (suppressed_.contains(kind) || (all_suppressed_ && !exempt_.contains(kind))) return 0;
  const auto found = declared_.find(kind);
  return found == declared_.end() ? kUnbounded : found->second;
}

std::size_t DemandBook::kinds_with(const Demand& demand) const {
  auto kinds = declared_.size();
  for (const auto& [kind, units] : demand.kinds) kinds += declared_.contains(kind) ? 0 : 1;
  return kinds;
}

}  // namespace proffer::allocator
