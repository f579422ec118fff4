#include "proffer/study/results_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "proffer/formats/toml.hpp"
#include "study/results/files.hpp"
#include "study/results/json.hpp"
#include "study/results/tables.hpp"

namespace proffer::study {
namespace {

namespace fs = std::filesystem;
using formats::read_text_file;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_empty_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_empty(path, error) && !error;
}

fs::path normal(const fs::path& path) {
  std::error_code ignored;  // an empty path stays one, and is the folder in which we are
  const auto whole = fs::absolute(path.empty() ? "." : path, ignored).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

/// The way from there, so that both can be moved together.
std::string way_from(const fs::path& folder, const fs::path& to) {
  return normal(to).lexically_relative(normal(folder)).string();
}

std::vector<Plugin> plugins_from(const fs::path& folder, std::vector<Plugin> plugins) {
  std::error_code ignored;
  const auto here = fs::weakly_canonical(normal(folder), ignored);  // as the paths of plug-ins are
  for (auto& plugin : plugins) plugin.path = way_from(here, plugin.path);
  return plugins;
}

Result<ExperimentRecord> read_record(const fs::path& folder) {
  const auto path = (folder / "experiment.json").string();
  const auto text = read_text_file(path);
  if (!text) return text.error();
  return parse_record(*text, path);
}

/// Checks that the runs that are there are of this experiment.
Result<> check_record(const fs::path& folder, const Experiment& experiment, const std::string& version) {
  const auto record = read_record(folder);
  if (!record) return record.error();
  const auto other = [&](std::string_view what) {
    return Error{ErrorCode::exists, fmt::format("{} holds results of {}; remove it, or choose another folder",
                                                folder.string(), what)};
  };
  if (record->name != experiment.name) return other(fmt::format("another experiment, {}", record->name));
  if (record->hash != hash_of(experiment))
    return other(
        "this experiment as it was before a change of its file, a plug-in, a trace, its machines or --set");
  if (record->version != version)
    return other(fmt::format("proffer {}, and this is {}", record->version, version));
  return {};
}

template <class Row>
Result<> read_rows(const fs::path& path, std::span<const CsvColumn<Row>> columns, std::vector<Row>& rows) {
  const auto text = read_text_file(path.string());
  if (!text) return text.error();
  auto read = read_table(*text, columns, path.string());
  if (!read) return read.error();
  rows = std::move(*read);
  return {};
}

RunResult without_tables(RunSummary summary) {
  RunResult result;
  result.experiment = std::move(summary.experiment);
  result.cell = std::move(summary.cell);
  result.seed = summary.seed;
  result.digest = std::move(summary.digest);
  result.events = summary.events;
  result.world = std::move(summary.world);
  result.run_seconds = summary.run_seconds;
  result.window = summary.window;
  result.measures = std::move(summary.measures);
  return result;
}

Result<> write_tables(const fs::path& folder, const RunResult& result) {
  if (auto written = write_file(folder / "jobs.csv", print_table(result.jobs, job_columns())); !written)
    return written;
  if (auto written = write_file(folder / "tasks.csv", print_table(result.tasks, task_columns())); !written) {
    return written;
  }
  if (auto written = write_file(folder / "offers.csv", print_table(result.offers, offer_columns()));
      !written) {
    return written;
  }
  if (auto written = write_file(folder / "shares.csv", print_table(result.shares, share_columns()));
      !written) {
    return written;
  }
  if (auto written = write_file(folder / "tenants.csv", print_table(result.tenants, tenant_columns()));
      !written) {
    return written;
  }
  return write_file(folder / "machines.csv", print_table(result.machines, machine_columns()));
}

}  // namespace

Result<> write_run(const std::string& folder, const RunResult& result) {
  if (auto made = make_folder(folder); !made) return made;
  if (auto written = write_tables(folder, result); !written) return written;
  return write_file(fs::path(folder) / "summary.json", summary_json(summary_of(result)));
}

Result<> ResultsFolder::check(const Experiment& experiment, const std::string& version) const {
  const fs::path folder(path_);
  if (is_there(folder / "experiment.json")) return check_record(folder, experiment, version);
  if (!is_there(folder) || is_empty_folder(folder)) return {};
  return Error{ErrorCode::exists, fmt::format("{} is there already, and is no folder of results", path_)};
}

Result<> ResultsFolder::open(const Experiment& experiment, const std::string& version) const {
  const fs::path folder(path_);
  if (auto checked = check(experiment, version); !checked) return checked;
  if (is_there(folder / "experiment.json")) return {};
  if (auto made = make_folder(folder); !made) return made;
  if (auto written = write_file(folder / "experiment.toml", experiment.text); !written) return written;
  // The record is written last: who finds it finds the experiment as well. In the other order, a folder of
  // which the writing was cut short would pass for one of results.
  const ExperimentRecord record{version,
                                experiment.name,
                                hash_of(experiment),
                                way_from(folder, experiment.folder),
                                experiment.overrides,
                                plugins_from(folder, experiment.plugins)};
  return write_file(folder / "experiment.json", record_json(record));
}

Result<Experiment> ResultsFolder::experiment() const {
  const auto record = read_record(path_);
  if (!record) return record.error();
  const auto file = (fs::path(path_) / "experiment.toml").string();
  auto text = read_text_file(file);
  if (!text) return text.error();
  std::vector<std::string> plugins;
  for (const auto& plugin : record->plugins) plugins.push_back((fs::path(path_) / plugin.path).string());
  return parse_experiment(std::move(*text), file, (fs::path(path_) / record->folder).string(),
                          record->overrides, plugins);
}

std::string ResultsFolder::run_folder(const Cell& cell, std::uint64_t seed) const {
  return (fs::path(path_) / cell.folder / fmt::format("seed-{}", seed)).string();
}

bool ResultsFolder::is_complete(const Cell& cell, std::uint64_t seed) const {
  return is_there(fs::path(run_folder(cell, seed)) / "manifest.json");
}

Result<std::string> ResultsFolder::begin_run(const Cell& cell, std::uint64_t seed) const {
  const auto part = run_folder(cell, seed) + ".part";
  if (auto removed = remove_folder(part); !removed) return removed.error();
  if (auto made = make_folder(part); !made) return made.error();
  return part;
}

Result<> ResultsFolder::finish_run(const Cell& cell, const RunResult& result) const {
  const auto record = read_record(path_);
  if (!record) return record.error();
  const auto folder = run_folder(cell, result.seed);
  const fs::path part(folder + ".part");
  if (auto written = write_run(part.string(), result); !written) return written;
  // The manifest is the last file, and the folder gets its name once all files are there: a run that has a
  // manifest is complete (is_complete), and one that was cut short is run again.
  const auto manifest = manifest_json(summary_of(result), {record->version, record->hash, cell});
  if (auto written = write_file(part / "manifest.json", manifest); !written) return written;
  if (auto removed = remove_folder(folder); !removed) return removed;
  return move_folder(part, folder);
}

Result<RunSummary> ResultsFolder::read_summary(const Cell& cell, std::uint64_t seed) const {
  const auto path = (fs::path(run_folder(cell, seed)) / "summary.json").string();
  const auto text = read_text_file(path);
  if (!text) return text.error();
  return parse_summary(*text, path);
}

Result<std::vector<std::string>> ResultsFolder::read_notes(const Cell& cell, std::uint64_t seed) const {
  const auto path = (fs::path(run_folder(cell, seed)) / "manifest.json").string();
  const auto text = read_text_file(path);
  if (!text) return text.error();
  return parse_notes(*text, path);
}

Result<std::vector<MachineRow>> ResultsFolder::read_machines(const Cell& cell, std::uint64_t seed) const {
  std::vector<MachineRow> rows;
  const auto path = fs::path(run_folder(cell, seed)) / "machines.csv";
  if (auto read = read_rows(path, machine_columns(), rows); !read) return read.error();
  return rows;
}

Result<RunResult> ResultsFolder::read_run(const Cell& cell, std::uint64_t seed) const {
  auto summary = read_summary(cell, seed);
  if (!summary) return summary.error();
  return read_run(cell, std::move(*summary), Tables::all);
}

Result<RunResult> ResultsFolder::read_run(const Cell& cell, RunSummary summary, Tables tables) const {
  const fs::path folder(run_folder(cell, summary.seed));
  auto result = without_tables(std::move(summary));
  if (auto read = read_rows(folder / "jobs.csv", job_columns(), result.jobs); !read) return read.error();
  if (tables == Tables::jobs) return result;
  if (auto read = read_rows(folder / "tasks.csv", task_columns(), result.tasks); !read) return read.error();
  if (auto read = read_rows(folder / "offers.csv", offer_columns(), result.offers); !read)
    return read.error();
  if (auto read = read_rows(folder / "shares.csv", share_columns(), result.shares); !read)
    return read.error();
  if (auto read = read_rows(folder / "tenants.csv", tenant_columns(), result.tenants); !read)
    return read.error();
  auto machines = read_machines(cell, result.seed);
  if (!machines) return machines.error();
  result.machines = std::move(*machines);
  return result;
}

Result<std::vector<RunSummary>> ResultsFolder::read_summaries(const Experiment& experiment) const {
  std::vector<RunSummary> runs;
  for (const auto& cell : cells(experiment)) {
    const auto most = experiment.until.precision > 0 ? experiment.until.most : 0;
    for (std::uint64_t i = 0; i < std::max(experiment.seed_count, most); ++i) {
      const auto seed = experiment.first_seed + i;
      if (!is_complete(cell, seed)) continue;
      auto run = read_summary(cell, seed);
      if (!run) return run.error();
      runs.push_back(std::move(*run));
    }
  }
  return runs;
}

Result<> ResultsFolder::write_summary(const ExperimentSummary& summary) const {
  const fs::path folder(path_);
  if (auto written = write_file(folder / "cells.csv", cells_csv(summary)); !written) return written;
  return write_file(folder / "summary.json", summary_json(summary));
}

}  // namespace proffer::study
