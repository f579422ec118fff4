// Summaries: figures of cells, made of those of runs.
#include <algorithm>
#include <cmath>
#include <set>

#include "proffer/study/results_folder.hpp"

namespace proffer::study {
namespace {

using Runs = std::map<std::uint64_t, const RunSummary*>;  // of a cell, by seed

std::vector<Runs> by_cell(const std::vector<Cell>& cells, const std::vector<RunSummary>& runs) {
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < cells.size(); ++i) index.emplace(cells[i].name, i);
  std::vector<Runs> sorted(cells.size());
  for (const auto& run : runs) {
    if (const auto at = index.find(run.cell); at != index.end()) sorted[at->second][run.seed] = &run;
  }
  return sorted;
}

std::optional<double> measure_of(const Runs& runs, std::uint64_t seed, const std::string& measure) {
  const auto run = runs.find(seed);
  if (run == runs.end()) return {};
  const auto found = run->second->measures.find(measure);
  if (found == run->second->measures.end()) return {};
  return found->second;
}

std::set<std::string> measures_of(const Runs& runs) {
  std::set<std::string> names;
  for (const auto& [seed, run] : runs) {
    for (const auto& [name, value] : run->measures) names.insert(name);
  }
  return names;
}

CellSummary summarize_cell(const Cell& cell, const Runs& runs, const Runs* baseline) {
  CellSummary summary;
  summary.cell = cell;
  for (const auto& [seed, run] : runs) summary.seeds.push_back(seed);
  if (!runs.empty()) summary.digest = runs.begin()->second->digest;
  for (const auto& name : measures_of(runs)) {
    std::vector<double> values;
    std::vector<double> ours;
    std::vector<double> theirs;
    for (const auto seed : summary.seeds) {
      const auto value = measure_of(runs, seed, name);
      if (!value) continue;
      values.push_back(*value);
      const auto other = baseline == nullptr ? std::nullopt : measure_of(*baseline, seed, name);
      if (!other) continue;
      ours.push_back(*value);
      theirs.push_back(*other);
    }
    if (const auto mean = estimate(values)) summary.measures.emplace(name, *mean);
    if (const auto difference = paired_difference(ours, theirs))
      summary.difference.emplace(name, *difference);
  }
  return summary;
}

/// None for the baseline itself.
const Runs* baseline_of(const Experiment& experiment, const std::vector<Cell>& cells,
                        const std::vector<Runs>& runs, std::size_t cell) {
  if (experiment.report.baseline.empty()) return nullptr;
  const auto base = find_cell(cells, experiment.report.baseline, cell);
  return base && *base != cell ? &runs[*base] : nullptr;
}

ComparedFigure compare(const PublishedFigure& figure, const std::vector<Cell>& cells,
                       const std::vector<Runs>& runs) {
  ComparedFigure compared{figure.id, figure.label, "", figure.measure.text, figure.value,
                          {},        figure.note,  "", figure.fitted};
  const auto cell = find_cell(cells, figure.cell, 0);
  if (!cell) return compared;
  compared.cell = cells[*cell].name;
  std::vector<double> values;
  for (const auto& [seed, run] : runs[*cell]) {
    const auto lookup = [&, seed = seed](const MeasureRef& ref) -> std::optional<double> {
      const auto meant = find_cell(cells, ref.filter, *cell);
      if (!meant) return {};
      return measure_of(runs[*meant], seed, ref.measure);
    };
    if (const auto value = evaluate(figure.measure, lookup)) values.push_back(*value);
    if (compared.digest.empty()) compared.digest = run->digest;
  }
  compared.ours = estimate(values);
  return compared;
}

CellRuns runs_of(const std::vector<Runs>& sorted) {
  CellRuns runs;
  for (const auto& cell : sorted) {
    auto& by_seed = runs.emplace_back();
    for (const auto& [seed, run] : cell) by_seed[seed] = &run->measures;
  }
  return runs;
}

}  // namespace

bool is_precise(const Experiment& experiment, const ExperimentSummary& summary) {
  const auto& rule = experiment.until;
  if (rule.precision == 0) return true;
  return std::all_of(summary.cells.begin(), summary.cells.end(), [&](const CellSummary& cell) {
    const auto figure = cell.measures.find(rule.measure);
    if (figure == cell.measures.end()) return true;
    const auto& [name, estimate] = *figure;
    return estimate.half_width && *estimate.half_width <= rule.precision * std::abs(estimate.mean);
  });
}

Verdict ComparedFigure::within() const {
  if (!ours || !ours->of_one_more) return Verdict::undecided;
  return std::abs(paper - ours->mean) <= *ours->of_one_more ? Verdict::held : Verdict::not_held;
}

RunSummary summary_of(const RunResult& result) {
  RunSummary summary{result.experiment, result.cell,  result.seed,        result.digest,
                     result.events,     result.world, result.run_seconds, result.window,
                     result.measures};
  std::erase_if(summary.measures, [](const auto& measure) { return !std::isfinite(measure.second); });
  return summary;
}

ExperimentSummary summarize(const Experiment& experiment, const std::vector<RunSummary>& runs) {
  const auto all = cells(experiment);
  const auto sorted = by_cell(all, runs);
  ExperimentSummary summary;
  summary.experiment = experiment.name;
  for (std::size_t i = 0; i < all.size(); ++i) {
    summary.cells.push_back(summarize_cell(all[i], sorted[i], baseline_of(experiment, all, sorted, i)));
  }
  summary.checks = run_checks(experiment.checks, all, runs_of(sorted));
  for (const auto& figure : experiment.paper) summary.paper.push_back(compare(figure, all, sorted));
  return summary;
}

}  // namespace proffer::study
