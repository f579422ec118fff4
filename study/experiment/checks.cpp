#include "proffer/study/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "proffer/check.hpp"

namespace proffer::study {
namespace {

bool asks_for_more(Comparison comparison) {
  return comparison == Comparison::greater || comparison == Comparison::at_least;
}

/// Whether left − right may be 0 as well.
bool allows_equal(Comparison comparison) {
  return comparison == Comparison::at_most || comparison == Comparison::at_least;
}

/// Returns what the interval of left − right says: all of it is where the check wants it, or none, or some.
Verdict judge(const Estimate& difference, Comparison comparison) {
  const auto good = asks_for_more(comparison) ? difference.mean : -difference.mean;
  const auto least = good - difference.half_width.value_or(0);
  const auto most = good + difference.half_width.value_or(0);
  if (least > 0 || (least == 0 && allows_equal(comparison))) return Verdict::held;
  if (most < 0 || (most == 0 && !allows_equal(comparison))) return Verdict::not_held;
  return Verdict::undecided;
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

/// Returns the figure of one side for each seed of the cell at hand that has one.
std::map<std::uint64_t, double> figures_of(const Expression& side, const std::vector<Cell>& cells,
                                           const CellRuns& runs, std::size_t base) {
  std::set<std::uint64_t> seeds;
  for (const auto& cell : runs) {
    for (const auto& [seed, measures] : cell) seeds.insert(seed);
  }
  std::map<std::uint64_t, double> figures;
  for (const auto seed : seeds) {
    const auto lookup = [&](const MeasureRef& ref) -> std::optional<double> {
      const auto& cell = runs[*find_cell(cells, ref.filter, base)];
      const auto run = cell.find(seed);
      if (run == cell.end()) return {};
      const auto found = run->second->find(ref.measure);
      if (found == run->second->end()) return {};
      return found->second;
    };
    if (const auto value = evaluate(side, lookup)) figures[seed] = *value;
  }
  return figures;
}

std::optional<double> mean_of(const std::map<std::uint64_t, double>& figures) {
  double sum = 0;
  for (const auto& [seed, value] : figures) sum += value;
  if (figures.empty()) return {};
  return sum / static_cast<double>(figures.size());
}

CheckResult look(const Check& check, const std::vector<Cell>& cells, const CellRuns& runs, std::size_t base) {
  const auto left = figures_of(check.left, cells, runs, base);
  const auto right = figures_of(check.right, cells, runs, base);
  std::vector<double> lefts;
  std::vector<double> rights;
  for (const auto& [seed, value] : left) {
    const auto other = right.find(seed);
    if (other == right.end()) continue;
    lefts.push_back(value);
    rights.push_back(other->second);
  }
  CheckResult result;
  result.check = check.text;
  result.left = mean_of(left);
  result.right = mean_of(right);
  result.difference = paired_difference(lefts, rights);
  if (result.difference) result.verdict = judge(*result.difference, check.comparison);
  return result;
}

void run_check(const Check& check, const std::vector<Cell>& cells, const CellRuns& runs,
               std::vector<CheckResult>& results) {
  std::set<std::vector<std::size_t>> seen;
  for (std::size_t base = 0; base < cells.size(); ++base) {
    const auto meant = cells_meant(check, cells, base);
    if (!meant || !seen.insert(*meant).second) continue;
    results.push_back(look(check, cells, runs, base));
    results.back().cell = names_of(*meant, cells);
  }
  if (seen.empty()) results.push_back({check.text, "", Verdict::not_held, {}, {}});
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  if (verdict == Verdict::held) return "held";
  return verdict == Verdict::not_held ? "not held" : "undecided";
}

std::string CheckResult::sentence() const {
  const auto where = cell.empty() ? check : fmt::format("{} in {}", check, cell);
  if (!left && !right) return fmt::format("{}: not held, there are no figures for it", where);
  if (!left || !right) {
    return fmt::format("{}: not held, there is no figure for its {} side", where, left ? "right" : "left");
  }
  if (!difference) return fmt::format("{}: not held, no seed has figures for both sides", where);
  const auto interval = difference->half_width ? fmt::format(" ±{:.3g}", *difference->half_width) : "";
  return fmt::format("{}: {}, {:.6g} against {:.6g}, by {:+.3g}{}", where, to_string(verdict), *left, *right,
                     difference->mean, interval);
}

std::vector<CheckResult> run_checks(const std::vector<Check>& checks, const std::vector<Cell>& cells,
                                    const CellRuns& runs) {
  PROFFER_CHECK(cells.size() == runs.size(), "each cell has its runs");
  std::vector<CheckResult> results;
  for (const auto& check : checks) run_check(check, cells, runs, results);
  return results;
}

}  // namespace proffer::study
