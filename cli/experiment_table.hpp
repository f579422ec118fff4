// An experiment's figures for a terminal.
#pragma once

#include <string>

#include "proffer/study/results_folder.hpp"

namespace proffer::cli {

/// A row a cell: means with 95% intervals of the measures that the experiment names, or of the usual ones.
std::string cells_table(const study::Experiment& experiment, const study::ExperimentSummary& summary);
/// The paper's figures beside ours; empty when there are none.
std::string paper_table(const study::ExperimentSummary& summary);

}  // namespace proffer::cli
