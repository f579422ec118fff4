#include "proffer/study/tenants.hpp"

#include <algorithm>
#include <set>

namespace proffer::study {

std::optional<TenantMeasure> tenant_measure(std::string_view name) {
  for (const auto level : kTenantLevels) {
    const auto infix = "." + std::string(level) + ".";
    const auto at = name.find(infix);
    if (at == name.npos || at == 0) continue;
    return TenantMeasure{std::string(name.substr(0, at)), std::string(level),
                         std::string(name.substr(at + infix.size()))};
  }
  return {};
}

std::vector<TenantLine> tenant_lines(const ExperimentSummary& summary, std::string_view level) {
  std::vector<TenantLine> lines;
  for (const auto& cell : summary.cells) {
    std::map<std::string, TenantLine> tenants;
    for (const auto& [name, estimate] : cell.measures) {
      const auto found = tenant_measure(name);
      if (!found || found->level != level) continue;
      tenants[found->tenant].measures.emplace(found->measure, estimate);
    }
    for (auto& [tenant, line] : tenants) lines.push_back({cell.cell.name, tenant, std::move(line.measures)});
  }
  return lines;
}

std::vector<std::string> tenant_columns(const std::vector<TenantLine>& lines) {
  std::set<std::string> known;
  for (const auto& line : lines) {
    for (const auto& [name, estimate] : line.measures) known.insert(name);
  }
  std::vector<std::string> columns;
  for (const auto* name :
       {"jobs", "response_mean", "response_p50", "response_p95", "slowdown_mean", "node_local", "wait_mean",
        "share.map", "running.map", "deficit_declined.map", "deficit_imposed.map"}) {
    if (known.contains(name)) columns.emplace_back(name);
  }
  for (const auto& name : known) {
    if (name.starts_with("declines.")) columns.push_back(name);
  }
  return columns;
}

std::string_view tenant_title(std::string_view level) {
  if (level == "framework") return "By framework";
  return level == "pool" ? "By pool" : "By pool of jobs";
}

}  // namespace proffer::study
