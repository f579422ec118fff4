// Results of an experiment as files, the same bytes for the same runs:
//
//   DIR/experiment.toml   the experiment's file as it was
//   DIR/experiment.json   version, overrides, traces, plug-ins; a hash of all that and of their bytes
//   DIR/CELL/seed-N/      jobs.csv tasks.csv offers.csv shares.csv tenants.csv
//                         machines.csv summary.json manifest.json
//   DIR/summary.json      per cell: means and 95% intervals over seeds; checks; the paper's figures
//   DIR/cells.csv         the same means, one row a cell and measure
//
// A run's folder gets its name once it is complete, so that a run that was killed half-way is done again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/result.hpp"
#include "proffer/study/checks.hpp"
#include "proffer/study/experiment.hpp"
#include "proffer/study/results.hpp"
#include "proffer/study/statistics.hpp"

namespace proffer::study {

/// The contents of a run's summary.json.
struct RunSummary {
  std::string experiment;
  std::string cell;
  std::uint64_t seed = 0;
  std::string digest;
  std::uint64_t events = 0;
  RunWorld world;  ///< the world; its notes are in the manifest only, and are not read back
  double run_seconds = 0;
  Window window;
  std::map<std::string, double> measures;  ///< finite ones
};
RunSummary summary_of(const RunResult& result);

struct CellSummary {
  Cell cell;
  std::vector<std::uint64_t> seeds;  ///< ascending
  std::string digest;                ///< digest of the run of the first seed
  std::map<std::string, Estimate> measures;
  /// Difference to the baseline, by paired seeds; empty without one.
  std::map<std::string, Estimate> difference;
};

/// A figure of a paper, beside ours.
struct ComparedFigure {
  std::string id;
  std::string label;
  std::string cell;  ///< name of the cell
  std::string measure;
  double paper = 0;
  std::optional<Estimate> ours;  ///< none: not measured (yet)
  std::string note;
  std::string digest;   ///< digest of the run of the first seed in that cell
  bool fitted = false;  ///< as in PublishedFigure

  /// Returns whether a single run of ours could have the published value: it lies in the 95% prediction
  /// interval. Undecided with fewer than two seeds.
  Verdict within() const;
};

struct ExperimentSummary {
  std::string experiment;
  std::vector<CellSummary> cells;  ///< cells in the order of the experiment, including those without a run
  std::vector<CheckResult> checks;
  std::vector<ComparedFigure> paper;
};

/// Computes the summary of an experiment. `runs` may come in any order, at most one a cell and seed.
ExperimentSummary summarize(const Experiment& experiment, const std::vector<RunSummary>& runs);

/// Returns whether every cell that has the measure of SeedRule has it as precisely as that asks; true without
/// such a rule.
bool is_precise(const Experiment& experiment, const ExperimentSummary& summary);

/// Writes the tables of a run and its summary.json into a folder, and makes it where there is none. `io`.
Result<> write_run(const std::string& folder, const RunResult& result);

class ResultsFolder {
 public:
  explicit ResultsFolder(std::string path) : path_(std::move(path)) {}

  /// Creates the folder, or opens one of the same experiment, whose complete runs then count. `exists` when
  /// something else is there (another experiment, other overrides or another version); `io`.
  Result<> open(const Experiment& experiment, const std::string& version) const;
  /// Checks an existing folder as open() does; creates nothing.
  Result<> check(const Experiment& experiment, const std::string& version) const;
  /// Returns the experiment whose results are here; errors of read_experiment.
  Result<Experiment> experiment() const;

  bool is_complete(const Cell& cell, std::uint64_t seed) const;
  /// Creates an empty folder for whatever else is written of this run while it goes on (events.jsonl).
  Result<std::string> begin_run(const Cell& cell, std::uint64_t seed) const;
  /// Writes the files of the run, and completes its folder. begin_run() must have been called before.
  Result<> finish_run(const Cell& cell, const RunResult& result) const;
  /// Returns the folder with the files of a complete run.
  std::string run_folder(const Cell& cell, std::uint64_t seed) const;

  Result<RunSummary> read_summary(const Cell& cell, std::uint64_t seed) const;
  /// Reads a run with all its tables, but without wall_seconds.
  Result<RunResult> read_run(const Cell& cell, std::uint64_t seed) const;
  /// Reads a run whose summary is known; Tables::jobs reads no table but the jobs.
  enum class Tables : std::uint8_t { all, jobs };
  Result<RunResult> read_run(const Cell& cell, RunSummary summary, Tables tables) const;
  /// Reads machines.csv of a run.
  Result<std::vector<MachineRow>> read_machines(const Cell& cell, std::uint64_t seed) const;
  /// Reads world.notes of a run.
  Result<std::vector<std::string>> read_notes(const Cell& cell, std::uint64_t seed) const;
  /// Reads the summaries of all complete runs of the experiment, by cell, then seed.
  Result<std::vector<RunSummary>> read_summaries(const Experiment& experiment) const;

  Result<> write_summary(const ExperimentSummary& summary) const;

 private:
  std::string path_;
};

}  // namespace proffer::study
