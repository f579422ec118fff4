#include "cli/experiment_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/output.hpp"

namespace proffer::cli {
namespace {

constexpr const char* kUsual[] = {"node_local",    "rack_local", "response_mean",  "response_p95",
                                  "slowdown_mean", "jain",       "offers_per_task"};

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

std::vector<std::string> shown_measures(const study::Experiment& experiment,
                                        const study::ExperimentSummary& summary) {
  if (!experiment.report.measures.empty()) return experiment.report.measures;
  std::vector<std::string> measures;
  for (const auto* name : kUsual) {
    const bool measured = std::any_of(summary.cells.begin(), summary.cells.end(),
                                      [&](const auto& cell) { return cell.measures.contains(name); });
    if (measured) measures.emplace_back(name);
  }
  return measures;
}

std::string estimate_text(const study::Estimate& estimate) {
  const auto size = std::abs(estimate.mean);
  const int digits = size < 10 ? 3 : size < 1000 ? 1 : 0;
  if (!estimate.half_width) return fmt::format("{:.{}f}", estimate.mean, digits);
  return fmt::format("{:.{}f} ±{:.{}f}", estimate.mean, digits, *estimate.half_width, digits);
}

std::string cells_table(const study::Experiment& experiment, const study::ExperimentSummary& summary) {
  const auto measures = shown_measures(experiment, summary);
  std::vector<std::string> header{"CELL", "SEEDS"};
  for (const auto& name : measures) header.push_back(upper(name));
  Table table(header);
  for (const auto& cell : summary.cells) {
    std::vector<std::string> row{cell.cell.name.empty() ? "(one)" : cell.cell.name,
                                 std::to_string(cell.seeds.size())};
    for (const auto& name : measures) {
      const auto at = cell.measures.find(name);
      row.push_back(at == cell.measures.end() ? "-" : estimate_text(at->second));
    }
    table.add(row);
  }
  return table.text();
}

std::string basis_of(const study::ComparedFigure& figure) { return figure.fitted ? "fitted" : "predicted"; }

std::string paper_table(const study::ExperimentSummary& summary) {
  if (summary.paper.empty()) return "";
  Table table({"PAPER", "CELL", "WHAT", "IS", "PAPER'S", "OURS"});
  for (const auto& figure : summary.paper) {
    table.add({figure.id, figure.cell, figure.label, basis_of(figure), fmt::format("{:g}", figure.paper),
               figure.ours ? estimate_text(*figure.ours) : "-"});
  }
  return "\n" + table.text();
}

}  // namespace proffer::cli
