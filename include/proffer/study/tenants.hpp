// Measures of tenants in a summary: those named MEASURE.LEVEL.TENANT, such as response_mean.framework.gold.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/study/results.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::study {

struct TenantMeasure {
  std::string measure;
  std::string level;  ///< one of kTenantLevels
  std::string tenant;
};
/// Returns what a name says; none for a measure of the whole run, or of a bin.
std::optional<TenantMeasure> tenant_measure(std::string_view name);

/// A tenant in a cell.
struct TenantLine {
  std::string cell;
  std::string tenant;
  std::map<std::string, Estimate> measures;
};
/// Returns the tenants of one level, by cell in the order of the summary, then by name.
std::vector<TenantLine> tenant_lines(const ExperimentSummary& summary, std::string_view level);
/// Returns the measures that a table of these tenants has for its columns: the usual ones, and declines by
/// reason.
std::vector<std::string> tenant_columns(const std::vector<TenantLine>& lines);
/// "By framework", "By pool", "By pool of jobs": the title of a level's table.
std::string_view tenant_title(std::string_view level);

}  // namespace proffer::study
