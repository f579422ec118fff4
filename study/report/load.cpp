#include <algorithm>
#include <map>

#include "proffer/study/report.hpp"

namespace proffer::study {
namespace {

using Tables = ResultsFolder::Tables;

/// The first run with all tables, the others with their jobs.
Result<ReportCell> read_cell(const ResultsFolder& folder, const Cell& cell,
                             const std::vector<RunSummary>& summaries) {
  ReportCell result{cell, {}};
  for (const auto& summary : summaries) {
    if (summary.cell != cell.name) continue;
    auto run = folder.read_run(cell, summary, result.runs.empty() ? Tables::all : Tables::jobs);
    if (!run) return run.error();
    result.runs.push_back(std::move(*run));
  }
  return result;
}

/// Returns the notes on what was otherwise than the experiment says, each once.
Result<std::vector<std::string>> notes_of(const ResultsFolder& folder, const std::vector<ReportCell>& cells) {
  std::vector<std::string> all;
  for (const auto& cell : cells) {
    auto notes = folder.read_notes(cell.cell, cell.runs.front().seed);
    if (!notes) return notes.error();
    for (auto& note : *notes) {
      if (std::find(all.begin(), all.end(), note) == all.end()) all.push_back(std::move(note));
    }
  }
  return all;
}

/// Returns the kind that most tasks have.
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
    auto read = read_cell(results, cell, *summaries);
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
  auto notes = notes_of(results, input.cells);
  if (!notes) return notes.error();
  input.notes = std::move(*notes);
  if (input.cells.front().runs.front().world.live) {
    input.notes.insert(input.notes.begin(),
                       "These runs were made with real processes, so their times differ from run to run.");
  }
  return input;
}

}  // namespace proffer::study
