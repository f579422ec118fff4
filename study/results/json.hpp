// Summaries as JSON and back.
#pragma once

#include <string>
#include <string_view>

#include "proffer/study/results_folder.hpp"

namespace proffer::study {

std::string summary_json(const RunSummary& run);
/// `invalid` or `corrupt` with FILE:LINE.
Result<RunSummary> parse_summary(std::string_view text, std::string_view file);

struct RunManifest {
  std::string version;
  std::string experiment_hash;
  const Cell& cell;
};
/// Describes a run: nothing in it differs between two equal runs.
std::string manifest_json(const RunSummary& run, const RunManifest& manifest);

/// The notes of what manifest_json made. `corrupt`.
Result<std::vector<std::string>> parse_notes(std::string_view text, std::string_view file);

std::string summary_json(const ExperimentSummary& summary);
std::string cells_csv(const ExperimentSummary& summary);

/// The record of an experiment: DIR/experiment.json.
struct ExperimentRecord {
  std::string version;
  std::string name;
  std::string hash;
  std::string folder;  ///< folder of its traces, from DIR
  std::vector<std::string> overrides;
  std::vector<Plugin> plugins;  ///< paths from DIR, too
};
std::string record_json(const ExperimentRecord& record);
Result<ExperimentRecord> parse_record(std::string_view text, std::string_view file);

/// Returns a hash of what an experiment says, with its overrides, and of the bytes of its plug-ins and
/// traces, wherever they lie: equal for equal ones.
std::string hash_of(const Experiment& experiment);

}  // namespace proffer::study
