// The figures of an experiment for a terminal.
#pragma once

#include <string>
#include <vector>

#include "proffer/study/results_folder.hpp"

namespace proffer::cli {

/// Returns the measures that the experiment names, or the usual ones that were measured.
std::vector<std::string> shown_measures(const study::Experiment& experiment,
                                        const study::ExperimentSummary& summary);
/// Formats an estimate with enough digits to see the interval, as 0.955 ±0.004 or 412.3 ±5.1.
std::string estimate_text(const study::Estimate& estimate);
/// Returns a table with a row a cell: means with 95% intervals of the shown measures.
std::string cells_table(const study::Experiment& experiment, const study::ExperimentSummary& summary);
/// Returns "fitted", for a figure that constants were chosen for, or "predicted".
std::string basis_of(const study::ComparedFigure& figure);
/// Returns a table of the paper's figures beside ours; empty when there are none.
std::string paper_table(const study::ExperimentSummary& summary);

}  // namespace proffer::cli
