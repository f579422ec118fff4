#include <algorithm>
#include <map>

#include "proffer/study/report.hpp"

namespace proffer::study {
namespace {

/// With all tables, or with jobs and measures only.
Result<RunResult> read_run(const ResultsFolder& folder, const Cell& cell, const RunSummary& summary,
                           bool whole) {
  if (whole) return folder.read_run(cell, summary.seed);
  auto jobs = folder.read_jobs(cell, summary.seed);
  if (!jobs) return jobs.error();
  RunResult run;
  run.experiment = summary.experiment;
  run.cell = summary.cell;
  run.seed = summary.seed;
  run.digest = summary.digest;
  run.events = summary.events;
  run.run_seconds = summary.run_seconds;
  run.measures = summary.measures;
  run.jobs = std::move(*jobs);
  return run;
}

Result<ReportCell> read_cell(const ResultsFolder& folder, const Experiment& experiment, const Cell& cell) {
  ReportCell result{cell, {}};
  for (std::uint64_t i = 0; i < experiment.seed_count; ++i) {
    const auto seed = experiment.first_seed + i;
    if (!folder.is_complete(cell, seed)) continue;
    const auto summary = folder.read_summary(cell, seed);
    if (!summary) return summary.error();
    auto run = read_run(folder, cell, *summary, result.runs.empty());
    if (!run) return run.error();
    result.runs.push_back(std::move(*run));
  }
  return result;
}

/// That of most tasks.
std::string main_kind(const std::vector<ReportCell>& cells) {
  std::map<std::string, std::size_t> tasks;
  for (const auto& cell : cells) {
    for (const auto& task : cell.runs.front().tasks) ++tasks[task.kind];
  }
  const auto most = std::max_element(tasks.begin(), tasks.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == tasks.end() ? "map" : most->first;
}

}  // namespace

Result<ReportInput> read_report_input(const std::string& folder, const std::string& version) {
  const ResultsFolder results(folder);
  const auto experiment = results.experiment();
  if (!experiment) return experiment.error();
  const auto summaries = results.read_summaries(*experiment);
  if (!summaries) return summaries.error();

  ReportInput input;
  for (const auto& cell : cells(*experiment)) {
    auto read = read_cell(results, *experiment, cell);
    if (!read) return read.error();
    if (!read->runs.empty()) input.cells.push_back(std::move(*read));
  }
  if (input.cells.empty()) {
    return Error{ErrorCode::not_found,
                 folder + " holds no complete run; `proffer experiment run` makes them"};
  }
  input.title = experiment->title;
  input.version = version;
  input.summary = summarize(*experiment, *summaries);
  input.settings = experiment->report;
  input.kind = main_kind(input.cells);
  if (experiment->live) {
    input.notes.emplace_back(
        "These runs were made with real processes, so their times differ from run to run.");
  }
  return input;
}

}  // namespace proffer::study
