#include "study/measures/tenant_measures.hpp"

#include <fmt/format.h>

namespace proffer::study {

void TenantMeasures::name_in(Measures& measures) const {
  std::map<std::string, std::size_t> tenants;  // by level
  for (const auto& [key, mine] : measures_) ++tenants[key.first];
  for (const auto& [key, mine] : measures_) {
    const auto& [level, tenant] = key;
    if (tenants[level] > kMostNamed || (level == "framework" && tenants[level] == 1)) continue;
    for (const auto& [name, value] : mine) measures[fmt::format("{}.{}.{}", name, level, tenant)] = value;
  }
}

std::vector<TenantRow> TenantMeasures::rows() const {
  std::vector<TenantRow> rows;
  for (const auto& [key, mine] : measures_) {
    for (const auto& [name, value] : mine) rows.push_back({key.first, key.second, name, value});
  }
  return rows;
}

}  // namespace proffer::study
