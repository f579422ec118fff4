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
/// The differences to the baseline by paired seeds, with their intervals; empty without a baseline.
std::string differences_table(const study::Experiment& experiment, const study::ExperimentSummary& summary);
/// Tables of what each framework and pool had, in every cell; empty where there are more than a screen takes.
std::string tenant_tables(const study::ExperimentSummary& summary);
/// The load that each cell's work makes with the first seed, as a table; errors of make_plan.
Result<std::string> load_table(const study::Experiment& experiment);
/// The same of the first cell, a line a kind; empty where its plan cannot be made.
std::string load_sentence(const study::Experiment& experiment);
/// Returns where MSER-5 finds the end of a start-up phase, and what to write to leave it out; empty where it
/// finds none.
std::string start_up_sentences(const study::ExperimentSummary& summary);
/// Returns a table of the paper's figures beside ours; empty when there are none.
std::string paper_table(const study::ExperimentSummary& summary);

/// Returns a table of the machines of live runs: of each what was worst in any run. Errors of read_machines.
Result<std::string> machines_table(const study::Experiment& experiment, const study::ResultsFolder& folder);

}  // namespace proffer::cli
