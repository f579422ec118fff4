// A page about an experiment: its figures, each a Vega-Lite specification with the data in it, its tables,
// and a caption under every figure that says which runs it shows. Pure: the same input gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "proffer/study/cell.hpp"
#include "proffer/study/experiment.hpp"
#include "proffer/study/results.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::study {

/// A cell with its runs. Every table is read from the first run; only the jobs are read from the others, so
/// whoever loads many seeds may leave their tasks, offers and shares out.
struct ReportCell {
  Cell cell;
  std::vector<RunResult> runs;  ///< one run a seed
};

struct ReportInput {
  std::string title;               ///< title of the experiment
  std::string version;             ///< version of the proffer that made the page
  std::vector<ReportCell> cells;   ///< the cells that were run, in the order of the experiment
  ExperimentSummary summary;       ///< means, checks and papers' figures
  ReportSettings settings;         ///< the settings, which name figures as report_figures() does
  std::vector<std::string> notes;  ///< sentences for the top of the page, e.g. that uplinks were shaped
  std::string kind = "map";        ///< the kind of slots that figures over time show
};

struct ReportFigure {
  std::string name;  ///< base name of its files
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

/// Reads a folder of results: from each cell the first complete run with all its tables, and the jobs and
/// measures of the others. Errors of ResultsFolder; `not_found` when no run is complete.
Result<ReportInput> read_report_input(const std::string& folder, const std::string& version);

Report make_report(const ReportInput& input);

}  // namespace proffer::study
