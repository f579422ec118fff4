// The measures of tenants: of each framework, each pool of the allocator, and each pool of jobs within a
// framework.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proffer/study/results.hpp"

namespace proffer::study {

/// More tenants of one level than these are in the table of tenants only.
inline constexpr std::size_t kMostNamed = 32;

class TenantMeasures {
 public:
  using Measures = std::map<std::string, double>;

  /// The measures of a tenant; `level`: one of kTenantLevels.
  Measures& of(std::string_view level, const std::string& tenant) {
    return measures_[{std::string(level), tenant}];
  }
  /// Adds each as NAME.LEVEL.TENANT. A framework that is the only one has the run's measures, and no others.
  void name_in(Measures& measures) const;
  std::vector<TenantRow> rows() const;

 private:
  std::map<std::pair<std::string, std::string>, Measures> measures_;
};

}  // namespace proffer::study
