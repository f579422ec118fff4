#include "proffer/study/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "proffer/check.hpp"

namespace proffer::study {
namespace {

bool holds(double left, Comparison comparison, double right) {
  switch (comparison) {
    case Comparison::less:
      return left < right;
    case Comparison::at_most:
      return left <= right;
    case Comparison::greater:
      return left > right;
    case Comparison::at_least:
      return left >= right;
  }
  return false;
}

/// The cells that the measures of a check mean, seen from one cell; none when one of them means no single
/// cell.
std::optional<std::vector<std::size_t>> cells_meant(const Check& check, const std::vector<Cell>& cells,
                                                    std::size_t base) {
  std::vector<std::size_t> meant;
  for (const auto* side : {&check.left, &check.right}) {
    for (const auto& step : side->steps) {
      const auto* ref = std::get_if<MeasureRef>(&step);
      if (ref == nullptr) continue;
      const auto cell = find_cell(cells, ref->filter, base);
      if (!cell) return {};
      meant.push_back(*cell);
    }
  }
  return meant;
}

std::string names_of(const std::vector<std::size_t>& meant, const std::vector<Cell>& cells) {
  std::vector<std::string> names;
  for (const auto cell : meant) {
    const auto& name = cells[cell].name;
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

CheckResult look(const Check& check, const std::vector<Cell>& cells, const CellMeans& means,
                 std::size_t base) {
  const auto lookup = [&](const MeasureRef& ref) -> std::optional<double> {
    const auto& figures = means[*find_cell(cells, ref.filter, base)];
    const auto found = figures.find(ref.measure);
    if (found == figures.end()) return {};
    return found->second;
  };
  CheckResult result;
  result.check = check.text;
  result.left = evaluate(check.left, lookup);
  result.right = evaluate(check.right, lookup);
  result.passed = result.left && result.right && holds(*result.left, check.comparison, *result.right);
  return result;
}

void run_check(const Check& check, const std::vector<Cell>& cells, const CellMeans& means,
               std::vector<CheckResult>& results) {
  std::set<std::vector<std::size_t>> seen;
  for (std::size_t base = 0; base < cells.size(); ++base) {
    const auto meant = cells_meant(check, cells, base);
    if (!meant || !seen.insert(*meant).second) continue;
    results.push_back(look(check, cells, means, base));
    results.back().cell = names_of(*meant, cells);
  }
  if (seen.empty()) results.push_back({check.text, "", false, {}, {}});
}

}  // namespace

std::string CheckResult::sentence() const {
  const auto where = cell.empty() ? check : fmt::format("{} in {}", check, cell);
  if (!left && !right) return fmt::format("{}: failed, there are no figures for it", where);
  if (!left || !right) {
    return fmt::format("{}: failed, there is no figure for its {} side", where, left ? "right" : "left");
  }
  return fmt::format("{}: {}, {:.6g} against {:.6g}", where, passed ? "holds" : "failed", *left, *right);
}

std::vector<CheckResult> run_checks(const std::vector<Check>& checks, const std::vector<Cell>& cells,
                                    const CellMeans& means) {
  PROFFER_CHECK(cells.size() == means.size(), "each cell has its means");
  std::vector<CheckResult> results;
  for (const auto& check : checks) run_check(check, cells, means, results);
  return results;
}

}  // namespace proffer::study
