// The cells of a report: what they are called in a legend, what they are compared with, and which few are
// shown where all would be too many.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proffer/study/report.hpp"
#include "study/report/numbers.hpp"

namespace proffer::study::reporting {

/// A swept value as a place on an axis.
struct Quantity {
  std::string name;
  double value = 0;
  std::string unit;  ///< "s" of a duration
};
/// "0.25", "250ms" (0.25 s), or the first of a policy: "wait,node_wait=5s" is 5 s of node_wait. None in any
/// other text, and in the name of a cell only when all of it is one.
std::optional<Quantity> quantity_of(const CellValue& value);

/// Returns the label for legends and tables: the name, or "all runs" of an experiment without a sweep.
std::string label_of(const ReportCell& cell);

/// Returns the cell with which one is compared: the baseline as seen from there. Null without one, and for
/// the baseline itself.
const ReportCell* baseline_of(const ReportInput& input, const ReportCell& cell);

/// Jobs of a run that count: submitted between warm-up and drain, finished and well.
std::vector<const JobRow*> finished_jobs(const RunResult& run);
double response_of(const JobRow& job);

/// `measure` of each run that has it, over the runs of a cell.
template <class Measure>
std::optional<Estimate> over_seeds(const ReportCell& cell, Measure measure) {
  std::vector<double> values;
  for (const auto& run : cell.runs) {
    if (const std::optional<double> value = measure(run)) values.push_back(*value);
  }
  return estimate(values);
}

/// Returns the mean response of finished_jobs(); none without any.
std::optional<double> mean_response(const RunResult& run);

struct Choice {
  std::vector<const ReportCell*> cells;  ///< cells in the order of the input
  std::string sentence;                  ///< the reason for which it is these; empty when they are all
};
/// Chooses at most `limit` cells: the one with which others are compared, those of least and greatest mean
/// response, then some between.
Choice choose_cells(const ReportInput& input, std::size_t limit);
std::vector<std::string> labels_of(const Choice& choice);
/// Each cell's place in the palette: the same in all figures, as long as there are colours for all cells.
std::vector<std::size_t> colours_of(const ReportInput& input, const Choice& choice);

/// "seeds 1–10", "seed 1".
std::string seeds_text(const std::vector<const ReportCell*>& cells);
/// Returns the words for a figure that tell which runs it stands for.
std::string runs_caption(const Choice& choice);
/// The same where bars show intervals.
std::string average_caption(const Choice& choice);
/// The same for what takes the runs of a cell together.
std::string pooled_caption(const Choice& choice);
/// The same for what shows the first seed of each cell only.
std::string single_caption(const Choice& choice);

}  // namespace proffer::study::reporting
