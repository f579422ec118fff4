#include "study/report/groups.hpp"

#include <algorithm>
#include <set>

#include "study/report/natural.hpp"

namespace proffer::study::reporting {
namespace {

constexpr std::size_t kMostGroups = 16;

struct Tenant {
  std::string pool;
  std::size_t tasks = 0;
};

std::map<std::string, Tenant> tenants_of(const std::vector<const ReportCell*>& cells) {
  std::map<std::string, Tenant> tenants;
  for (const auto* cell : cells) {
    if (cell->runs.empty()) continue;
    const auto& run = cell->runs.front();
    for (const auto& job : run.jobs) tenants[job.framework].pool = job.pool;
    for (const auto& task : run.tasks) ++tenants[task.framework].tasks;
    for (const auto& share : run.shares) tenants[share.framework];
  }
  return tenants;
}

}  // namespace

Groups::Groups(const std::vector<const ReportCell*>& cells) {
  const auto tenants = tenants_of(cells);
  std::set<std::string> pools;
  for (const auto& [name, tenant] : tenants) pools.insert(tenant.pool);
  const bool by_pool = tenants.size() > kMostGroups && pools.size() > 1 && !pools.contains("");
  if (by_pool) what_ = "pool";

  std::map<std::string, std::size_t> tasks;
  for (const auto& [name, tenant] : tenants) {
    tasks[group_[name] = by_pool ? tenant.pool : name] += tenant.tasks;
  }
  for (const auto& [name, count] : tasks) names_.push_back(name);
  if (names_.size() > kMostGroups) {
    std::stable_sort(names_.begin(), names_.end(), [&](const auto& a, const auto& b) {
      return tasks[a] == tasks[b] ? natural_less(a, b) : tasks[a] > tasks[b];
    });
    names_.resize(kMostGroups - 1);
    rest_ = "the other " + std::to_string(tasks.size() - names_.size());
    for (auto& [name, group] : group_) {
      if (std::find(names_.begin(), names_.end(), group) == names_.end()) group = rest_;
    }
  }
  std::sort(names_.begin(), names_.end(), natural_less);
  if (tasks.size() > names_.size()) names_.push_back(rest_);
}

const std::string& Groups::of(const std::string& framework) const {
  const auto found = group_.find(framework);
  return found == group_.end() ? rest_ : found->second;
}

}  // namespace proffer::study::reporting
