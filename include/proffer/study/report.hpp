// One page about an experiment: its figures, each a Vega-Lite specification with the data in it, its tables,
// and a caption under every figure that says which runs it shows. Pure: the same input gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "proffer/study/cell.hpp"
#include "proffer/study/experiment.hpp"
#include "proffer/study/results.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::study {

/// Of the first run every table is read; of the others only the jobs, so whoever loads many seeds may leave
/// their tasks, offers and shares out.
struct ReportCell {
  Cell cell;
  std::vector<RunResult> runs;  ///< by seed
};

struct ReportInput {
  std::string title;               ///< of the experiment
  std::string version;             ///< of proffer, that made the page
  std::vector<ReportCell> cells;   ///< those that were run, in the order of the experiment
  ExperimentSummary summary;       ///< its means, checks and papers' figures
  ReportSettings settings;         ///< names of figures are those of report_figures()
  std::vector<std::string> notes;  ///< sentences for the top of the page, e.g. that uplinks were shaped
  std::string kind = "map";        ///< of the slots that figures over time show
};

struct ReportFigure {
  std::string name;  ///< of its files
  std::string title;
  std::string caption;
  std::string spec;     ///< Vega-Lite, as JSON, its data inline
  std::string csv;      ///< the same data
  std::string gnuplot;  ///< draws NAME.csv beside it into NAME.svg
};

/// A figure for which there was no data.
struct ReportGap {
  std::string name;
  std::string title;
  std::string why;  ///< one sentence
};

struct Report {
  std::string html;  ///< needs nothing beside it, and no network
  std::vector<ReportFigure> figures;
  std::vector<ReportGap> left_out;
};

/// The names of all figures, in the order of the page.
const std::vector<std::string>& report_figures();

/// From a folder of results: of each cell the first complete run with all its tables, and the jobs and
/// measures of the others. Errors of ResultsFolder; `not_found` when no run is complete.
Result<ReportInput> read_report_input(const std::string& folder, const std::string& version);

Report make_report(const ReportInput& input);

}  // namespace proffer::study
