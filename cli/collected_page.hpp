// What many experiments came to, as a page for people.
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
  std::vector<std::string> measures;  ///< that are shown
};

/// What is no experiment, and was measured elsewhere.
struct MeasuredElsewhere {
  std::string name;
  std::vector<formats::JsonNode> rows;  ///< as collect_figures writes them
};

/// Markdown: the papers' figures of all, then of each experiment its cells and its checks, then the others.
std::string collected_page(const std::vector<Collected>& all, const std::vector<MeasuredElsewhere>& others);

}  // namespace proffer::cli
