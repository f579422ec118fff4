#include "study/report/groups.hpp"

#include <algorithm>
#include <map>

#include "study/report/natural.hpp"

namespace proffer::study::reporting {
namespace {

constexpr std::size_t kMostGroups = 16;

/// Returns the tenants with the numbers of their tasks.
std::map<std::string, std::size_t> tenants_of(const std::vector<const ReportCell*>& cells) {
  std::map<std::string, std::size_t> tenants;
  for (const auto* cell : cells) {
    if (cell->runs.empty()) continue;
    const auto& run = cell->runs.front();
    for (const auto& job : run.jobs) tenants[job.framework];
    for (const auto& task : run.tasks) ++tenants[task.framework];
    for (const auto& share : run.shares) tenants[share.framework];
  }
  return tenants;
}

}  // namespace

Groups::Groups(const std::vector<const ReportCell*>& cells) {
  auto tasks = tenants_of(cells);
  for (const auto& [name, count] : tasks) names_.push_back(name);
  if (names_.size() > kMostGroups) {
    std::stable_sort(names_.begin(), names_.end(), [&](const auto& a, const auto& b) {
      return tasks[a] == tasks[b] ? natural_less(a, b) : tasks[a] > tasks[b];
    });
    names_.resize(kMostGroups - 1);
    rest_ = "the other " + std::to_string(tasks.size() - names_.size());
  }
  std::sort(names_.begin(), names_.end(), natural_less);
  if (tasks.size() > names_.size()) names_.push_back(rest_);
}

const std::string& Groups::of(const std::string& framework) const {
  const auto found = std::find(names_.begin(), names_.end(), framework);
  return found == names_.end() ? rest_ : *found;
}

}  // namespace proffer::study::reporting
