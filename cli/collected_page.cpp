#include "cli/collected_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/experiment_table.hpp"

namespace proffer::cli {
namespace {

/// Removes characters that would end a cell of a table.
std::string cell_text(std::string text) {
  std::replace(text.begin(), text.end(), '|', '/');
  return text;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const auto& cell : cells) line += fmt::format(" {} |", cell_text(cell));
  return line + '\n';
}

std::string head_of(const std::vector<std::string>& names) {
  std::string rule = "|";
  for (std::size_t n = 0; n < names.size(); ++n) rule += "---|";
  return line_of(names) + rule + '\n';
}

std::string paper_row(const study::ComparedFigure& figure) {
  std::string ours = "-";
  if (figure.ours) ours = fmt::format("{:.3f}", figure.ours->mean);
  if (figure.ours && figure.ours->half_width) ours += fmt::format(" ±{:.3f}", *figure.ours->half_width);
  return line_of({figure.id, figure.label.empty() ? figure.measure : figure.label, figure.cell,
                  basis_of(figure), fmt::format("{:g}", figure.paper), ours,
                  std::to_string(figure.ours ? figure.ours->count : 0), figure.digest, figure.note});
}

std::string measures_of(const Collected& collected) {
  std::vector<std::string> names{"cell", "seeds"};
  names.insert(names.end(), collected.measures.begin(), collected.measures.end());
  auto table = head_of(names);
  for (const auto& cell : collected.summary.cells) {
    std::vector<std::string> row{cell.cell.name, std::to_string(cell.seeds.size())};
    for (const auto& measure : collected.measures) {
      const auto at = cell.measures.find(measure);
      row.push_back(at == cell.measures.end() ? "-" : estimate_text(at->second));
    }
    table += line_of(row);
  }
  return table;
}

std::string checks_of(const std::vector<study::CheckResult>& checks) {
  if (checks.empty()) return "";
  const auto side = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : std::string("-");
  };
  auto table = '\n' + head_of({"check", "cell", "verdict", "left", "right", "left − right"});
  for (const auto& check : checks) {
    table += line_of({fmt::format("`{}`", check.check), check.cell,
                      std::string(study::to_string(check.verdict)), side(check.left), side(check.right),
                      check.difference ? estimate_text(*check.difference) : "-"});
  }
  return table;
}

std::string text_of(const formats::JsonNode& row, std::string_view name) {
  const auto* member = row.find(name);
  return member == nullptr ? "" : member->text;
}

std::optional<double> number_of(const formats::JsonNode& row, std::string_view name) {
  const auto* member = row.find(name);
  if (member == nullptr || member->type == formats::JsonType::null) return {};
  return member->number;
}

std::string others_of(const MeasuredElsewhere& others) {
  std::string measures;
  std::vector<study::CheckResult> checks;
  for (const auto& row : others.rows) {
    const auto* passed = row.find("passed");
    if (passed != nullptr) {
      const auto verdict = passed->boolean ? study::Verdict::held : study::Verdict::not_held;
      checks.push_back({text_of(row, "check"), text_of(row, "cell"), verdict, number_of(row, "left"),
                        number_of(row, "right")});
    } else {
      const auto value = number_of(row, "ours");
      measures += line_of({text_of(row, "cell"), text_of(row, "label"),
                           value ? fmt::format("{:.4g}", *value) : "-", text_of(row, "note")});
    }
  }
  const auto head = measures.empty() ? "" : head_of({"cell", "figure", "ours", "note"});
  return fmt::format("\n## {}\n\n", others.name) + head + measures + checks_of(checks);
}

}  // namespace

std::string collected_page(const std::vector<Collected>& all, const std::vector<MeasuredElsewhere>& others) {
  auto page = head_of({"id", "figure", "cell", "is", "paper", "ours (95%)", "seeds", "digest", "note"});
  for (const auto& collected : all) {
    for (const auto& figure : collected.summary.paper) page += paper_row(figure);
  }
  for (const auto& collected : all) {
    const auto& experiment = collected.experiment;
    page += fmt::format("\n## {}\n\n{}\n\n", experiment.name, experiment.title);
    page += measures_of(collected) + checks_of(collected.summary.checks);
  }
  for (const auto& other : others) page += others_of(other);
  return page;
}

}  // namespace proffer::cli
