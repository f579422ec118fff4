// Runs of an experiment, several at a time, each in a thread of its own: they share nothing.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "proffer/result.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::cli {

struct RunPoolOptions {
  unsigned threads = 0;  // number of threads; 0: one a processor
  bool events = false;
  bool offers = false;
  bool show_progress = true;
  std::set<std::string> cells;  // names of the cells that are run; empty: all
};

/// Makes every run that is not complete in the folder. The first error ends it, once the runs that were begun
/// are over; complete runs stay.
Result<> run_missing(const study::Experiment& experiment, const study::ResultsFolder& folder,
                     const RunPoolOptions& options);

struct Verdicts {
  std::size_t compared = 0;
  std::vector<std::string> sentences;  // a sentence for each run that differs
};
/// Simulates every complete run again and compares digests.
Result<Verdicts> differing_runs(const study::Experiment& experiment, const study::ResultsFolder& folder,
                                unsigned threads);

}  // namespace proffer::cli
