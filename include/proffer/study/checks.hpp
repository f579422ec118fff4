// The claims of an experiment about itself, as [[check]] expr = "...":
//
//   node_local > 0.9                               in every cell
//   node_local{node_wait=5s} >= 0.95               in the cells with that value
//   response_mean{static} >= 1.5 * response_mean{5s}
//
// A side is made of numbers and measures with + - * /, without brackets. A measure without braces belongs to
// the cell at hand; with braces, to the cell that the filter means from there (find_cell of cell.hpp): so
// "node_local{wait} > node_local{greedy}" compares, for each number of jobs that is swept, those two.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "proffer/result.hpp"
#include "proffer/study/cell.hpp"
#include "proffer/study/statistics.hpp"

namespace proffer::study {

struct MeasureRef {
  /// A letter, then [A-Za-z0-9_.]; written with quotes where a bin is no such word: node_local."3-20".
  std::string measure;
  std::string filter;  ///< empty: the cell at hand
};

/// A figure computed from measures, in the order of its steps: a value is put on a stack, an operator takes
/// two from it.
struct Expression {
  using Step = std::variant<double, MeasureRef, char>;
  std::string text;
  std::vector<Step> steps;
};

enum class Comparison : std::uint8_t { less, at_most, greater, at_least };

struct Check {
  std::string text;
  Expression left;
  Comparison comparison = Comparison::greater;
  Expression right;
};

/// Reads an expression. `invalid` with a sentence that quotes the text and says what is expected where.
Result<Expression> parse_expression(std::string_view text);
Result<Check> parse_check(std::string_view text);
/// The filters used in an expression.
std::vector<std::string> filters_of(const Expression& expression);

/// The figure of a measure, or none.
using Lookup = std::function<std::optional<double>(const MeasureRef&)>;
/// The value of an expression; none when a measure is missing, or after a division by 0.
std::optional<double> evaluate(const Expression& expression, const Lookup& lookup);

/// The measures of runs by seed, one map a cell, in the order of the cells.
using CellRuns = std::vector<std::map<std::uint64_t, const std::map<std::string, double>*>>;

/// A check is undecided where the 95% interval of left − right holds 0.
enum class Verdict : std::uint8_t { held, not_held, undecided };
std::string_view to_string(Verdict verdict);  ///< "held", "not held", "undecided"

struct CheckResult {
  std::string check;
  std::string cell;  ///< the cells in which the check was made, "a and b"; empty: the only one, or none
  Verdict verdict = Verdict::not_held;
  std::optional<double> left;  ///< the mean over seeds; none: a measure on this side is missing
  std::optional<double> right;
  /// left − right, over paired seeds: seeds for which both are known. None: there is no such seed.
  std::optional<Estimate> difference = {};
  /// "node_local > 0.9 in node_wait=0s: not held, 0.55 against 0.9, by -0.35 ±0.02"
  std::string sentence() const;
};

/// Makes each check in each cell; only once where several cells mean the same figures. With one seed there is
/// no interval, and the figures decide.
std::vector<CheckResult> run_checks(const std::vector<Check>& checks, const std::vector<Cell>& cells,
                                    const CellRuns& runs);

}  // namespace proffer::study
