#include "study/experiment/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "proffer/formats/nearest.hpp"
#include "proffer/study/report.hpp"
#include "study/experiment/scenario.hpp"
#include "study/experiment/values.hpp"

namespace proffer::study {
namespace {

using formats::AsText;
using formats::error_at;
using formats::Setting;

struct AsCheck {
  static Complaint read(const TomlNode& node, Check& value) {
    if (node.type != TomlType::string) return wrong_type("a text, such as \"node_local > 0.9\"", node);
    auto check = parse_check(node.text);
    if (!check) return "is wrong: " + check.error().message;
    value = std::move(*check);
    return {};
  }
};

struct AsExpression {
  static Complaint read(const TomlNode& node, Expression& value) {
    if (node.type != TomlType::string) return wrong_type("the name of a measure", node);
    auto expression = parse_expression(node.text);
    if (!expression) return "is wrong: " + expression.error().message;
    value = std::move(*expression);
    return {};
  }
};

std::span<const Setting<Check>> check_keys() {
  static constexpr std::array kKeys{reading<Check, AsCheck, [](auto& s) -> auto& { return s; }>("expr")};
  return kKeys;
}

std::span<const Setting<PublishedFigure>> paper_keys() {
  using S = PublishedFigure;
  using AsAny = AsText<formats::Text>;
  static constexpr std::array kKeys{
      reading<S, AsAny, [](auto& s) -> auto& { return s.id; }>("id"),
      reading<S, AsAny, [](auto& s) -> auto& { return s.label; }>("label"),
      reading<S, AsAny, [](auto& s) -> auto& { return s.cell; }>("cell"),
      reading<S, AsExpression, [](auto& s) -> auto& { return s.measure; }>("measure"),
      reading<S, AsNumber, [](auto& s) -> auto& { return s.value; }>("value"),
      reading<S, AsAny, [](auto& s) -> auto& { return s.note; }>("note"),
      reading<S, AsBoolean, [](auto& s) -> auto& { return s.fitted; }>("fitted"),
  };
  return kKeys;
}

std::span<const Setting<ReportSettings>> report_keys() {
  using S = ReportSettings;
  static constexpr std::array kKeys{
      reading<S, AsText<formats::Text>, [](auto& s) -> auto& { return s.baseline; }>("baseline"),
      reading<S, formats::AsTexts, [](auto& s) -> auto& { return s.measures; }>("measures"),
      reading<S, formats::AsTexts, [](auto& s) -> auto& { return s.figures; }>("figures"),
      reading<S, AsBoolean, [](auto& s) -> auto& { return s.slowdown; }>("slowdown"),
  };
  return kKeys;
}

/// Returns the names of the first cells that a filter matches, for a sentence.
std::string some_names(const std::vector<Cell>& cells, std::string_view filter) {
  constexpr std::size_t kMost = 6;
  std::vector<std::string_view> names;
  std::size_t left_out = 0;
  for (const auto& cell : cells) {
    if (!matches(cell, filter)) continue;
    if (names.size() < kMost) {
      names.push_back(cell.name);
    } else {
      ++left_out;
    }
  }
  const auto more = left_out == 0 ? "" : fmt::format(" and {} more", left_out);
  return fmt::format("\"{}\"{}", fmt::join(names, "\", \""), more);
}

class Claims {
 public:
  Claims(const std::vector<Cell>& cells, Experiment& experiment) : cells_(cells), experiment_(experiment) {}

  Result<> read_check(const TomlNode& table) {
    Check check;
    if (auto read = formats::read_settings(table, check_keys(), "[[check]]", file(), check); !read)
      return read;
    if (check.text.empty()) return error_at(file(), table.position, "a [[check]] needs expr");
    const auto at = find_member(table, "expr")->position;
    bool here = true;
    for (const auto* side : {&check.left, &check.right}) {
      auto known = filters_match(filters_of(*side), at);
      if (!known) return known.error();
      here = here && *known;
    }
    if (here) experiment_.checks.push_back(std::move(check));
    return {};
  }

  Result<> read_figure(const TomlNode& table) {
    PublishedFigure figure;
    figure.id = experiment_.name;
    if (auto read = formats::read_settings(table, paper_keys(), "[[paper]]", file(), figure); !read)
      return read;
    for (const auto* key : {"measure", "value"}) {
      if (find_member(table, key) != nullptr) continue;
      return error_at(file(), table.position, fmt::format("a [[paper]] needs {}", key));
    }
    if (figure.label.empty()) figure.label = figure.measure.text;
    if (figure.fitted && (!experiment_.environment || experiment_.environment->fitted.empty())) {
      return error_at(file(), find_member(table, "fitted")->position,
                      "no constant is fitted to it: include an environment with a [[fit]]");
    }
    const auto* cell = find_member(table, "cell");
    auto filters = filters_of(figure.measure);
    filters.push_back(figure.cell);
    const auto at = cell == nullptr ? table.position : cell->position;
    const auto here = filters_match(filters, at);
    if (!here) return here.error();
    if (!*here) return {};
    if (auto single = check_single(figure.cell, at); !single) return single;
    experiment_.paper.push_back(std::move(figure));
    return {};
  }

  Result<> read_report(const TomlNode& section) {
    auto& report = experiment_.report;
    if (auto read = formats::read_settings(section, report_keys(), "[report]", file(), report); !read)
      return read;
    if (auto known = check_figures(section); !known) return known;
    if (report.baseline.empty()) return {};
    const auto here = filters_match({report.baseline}, find_member(section, "baseline")->position);
    if (!here) return here.error();
    if (!*here) report.baseline.clear();
    return {};
  }

 private:
  std::string_view file() const { return experiment_.file; }

  Result<> check_figures(const TomlNode& section) const {
    const auto* figures = find_member(section, "figures");
    if (figures == nullptr) return {};
    const auto& names = report_figures();
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::span written(figures->type == TomlType::string ? figures : figures->items.data(),
                            experiment_.report.figures.size());
    for (const auto& figure : written) {
      if (std::find(names.begin(), names.end(), figure.text) != names.end()) continue;
      return error_at(file(), figure.position, formats::unknown("figure", figure.text, known));
    }
    return {};
  }

  /// False for one that matches none because of an override.
  Result<bool> filters_match(const std::vector<std::string>& filters, formats::Position at) const {
    for (const auto& filter : filters) {
      const auto match = [&](const Cell& cell) { return matches(cell, filter); };
      if (std::any_of(cells_.begin(), cells_.end(), match)) continue;
      if (!experiment_.overrides.empty()) return false;
      return error_at(file(), at,
                      fmt::format("\"{}\" is no cell; there are {}", filter, some_names(cells_, "")));
    }
    return true;
  }

  Result<> check_single(std::string_view filter, formats::Position at) const {
    const auto matching =
        std::count_if(cells_.begin(), cells_.end(), [&](const Cell& cell) { return matches(cell, filter); });
    const bool exact =
        std::any_of(cells_.begin(), cells_.end(), [&](const Cell& c) { return c.name == filter; });
    if (matching == 1 || exact) return {};
    return error_at(
        file(), at,
        fmt::format("\"{}\" means {} cells, {}; say which", filter, matching, some_names(cells_, filter)));
  }

  const std::vector<Cell>& cells_;
  Experiment& experiment_;
};

}  // namespace

Result<> read_claims(const TomlNode& root, const std::vector<Cell>& cells, Experiment& experiment) {
  Claims claims(cells, experiment);
  const auto checks = tables_of(find_member(root, "check"), "[[check]]", experiment.file);
  if (!checks) return checks.error();
  for (const auto* table : *checks) {
    if (auto read = claims.read_check(*table); !read) return read;
  }
  const auto figures = tables_of(find_member(root, "paper"), "[[paper]]", experiment.file);
  if (!figures) return figures.error();
  for (const auto* table : *figures) {
    if (auto read = claims.read_figure(*table); !read) return read;
  }
  const auto* report = find_member(root, "report");
  return report == nullptr ? Result<>() : claims.read_report(*report);
}

}  // namespace proffer::study
