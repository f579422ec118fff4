// The results of many experiments as a page for people.
#pragma once

#include <string>
#include <vector>

#include "cli/experiment_table.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/study/experiment.hpp"

namespace proffer::cli {

struct Collected {
  study::Experiment experiment;
  study::ExperimentSummary summary;
  std::vector<std::string> measures;  ///< the measures that are shown
};

/// Measurements from something that is no experiment.
struct MeasuredElsewhere {
  std::string name;
  std::vector<formats::JsonNode> rows;  ///< rows in the form that collect_figures writes
};

/// Returns Markdown: the papers' figures of all, then the cells and checks of each experiment, then the
/// others.
std::string collected_page(const std::vector<Collected>& all, const std::vector<MeasuredElsewhere>& others);

}  // namespace proffer::cli
