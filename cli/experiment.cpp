// The command `proffer experiment`: runs all cells and seeds of a file into a folder of results.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/collect.hpp"
#include "cli/experiment_table.hpp"
#include "cli/output.hpp"
#include "cli/plugins.hpp"
#include "cli/run_pool.hpp"
#include "cli/study_commands.hpp"
#include "proffer/live/machines.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::cli {
namespace {

using study::Experiment;
using study::ResultsFolder;

Result<Experiment> read(const ExperimentOptions& options) {
  auto experiment = read_experiment(options.target, options.overrides, options.plugins, options.world);
  if (experiment && options.seeds) experiment->seed_count = *options.seeds;
  return experiment;
}

std::string folder_of(const ExperimentOptions& options, const Experiment& experiment) {
  if (!options.dir.empty()) return options.dir;
  return fmt::format("results/{}{}", experiment.name, experiment.live ? "-live" : "");
}

/// Prints the figures and the checks, and returns an exit code.
int conclude(const Experiment& experiment, const ResultsFolder& folder, const std::string& path) {
  const auto runs = folder.read_summaries(experiment);
  if (!runs) return report(runs.error());
  const auto summary = study::summarize(experiment, *runs);
  if (auto written = folder.write_summary(summary); !written) return report(written.error());
  std::fputs(cells_table(experiment, summary).c_str(), stdout);
  std::fputs(differences_table(experiment, summary).c_str(), stdout);
  std::fputs(tenant_tables(summary).c_str(), stdout);
  std::fputs(paper_table(summary).c_str(), stdout);
  for (const auto& cell : summary.cells) {
    const auto failed = cell.measures.find("jobs.failed");
    if (failed == cell.measures.end() || failed->second.mean == 0) continue;
    fmt::print(stderr, "warning: in {}, {:.4g} jobs failed in the mean of its runs\n", cell.cell.name,
               failed->second.mean);
  }
  std::fputs(start_up_sentences(summary).c_str(), stdout);
  const auto& rule = experiment.until;
  const bool is_measured = std::any_of(summary.cells.begin(), summary.cells.end(), [&](const auto& cell) {
    return cell.measures.contains(rule.measure);
  });
  if (rule.precision > 0 && !is_measured) {
    fmt::print(stderr, "warning: seeds are to be added until {} is known, but no cell has the measure {}\n",
               rule.measure, rule.measure);
  } else if (!study::is_precise(experiment, summary)) {
    fmt::print(stderr, "warning: {} is not known to {:g}% in every cell\n", rule.measure,
               rule.precision * 100);
  }
  bool passed = true;
  for (const auto& check : summary.checks) {
    passed &= check.verdict != study::Verdict::not_held;
    fmt::print("check: {}\n", check.sentence());
  }
  if (experiment.live) {
    const auto machines = machines_table(experiment, folder);
    if (!machines) return report(machines.error());
    std::fputs(machines->c_str(), stdout);
  }
  fmt::print("{}results: {}\n", world_sentence(experiment), path);
  return passed ? kOk : kInvariant;
}

/// Runs the seeds that are missing, then, by its rule of seeds, as many again until figures are precise.
/// `adds`: false where somebody said how many there are to be.
Result<> run_until_precise(Experiment& experiment, const ResultsFolder& folder, const RunPoolOptions& pool,
                           bool adds) {
  const auto step = experiment.seed_count;
  while (true) {
    if (auto ran = run_missing(experiment, folder, pool); !ran) return ran;
    if (!adds || experiment.seed_count >= experiment.until.most) return {};
    const auto runs = folder.read_summaries(experiment);
    if (!runs) return runs.error();
    if (study::is_precise(experiment, study::summarize(experiment, *runs))) return {};
    experiment.seed_count = std::min(experiment.seed_count + step, experiment.until.most);
  }
}

int run_all(const ExperimentOptions& options) {
  auto experiment = read(options);
  if (!experiment) return report(experiment.error());
  const auto path = folder_of(options, *experiment);
  const ResultsFolder folder(path);
  if (auto opened = folder.open(*experiment, PROFFER_VERSION); !opened) return report(opened.error());
  RunPoolOptions pool;
  pool.threads = options.jobs;
  pool.events = options.events;
  pool.offers = options.offers;
  pool.show_progress = !options.quiet;
  if (!options.quiet) fmt::print(stderr, "{}", load_sentence(*experiment));
  const auto ran = run_until_precise(*experiment, folder, pool, !options.seeds);
  if (!ran) return report(ran.error());
  return conclude(*experiment, folder, path);
}

/// Tells what load each cell's work makes with the first seed, before anything is run.
int describe(const ExperimentOptions& options) {
  const auto experiment = read(options);
  if (!experiment) return report(experiment.error());
  const auto table = load_table(*experiment);
  if (!table) return report(table.error());
  std::fputs(table->c_str(), stdout);
  return kOk;
}

int list(const ExperimentOptions& options) {
  const auto experiment = read(options);
  if (!experiment) return report(experiment.error());
  const ResultsFolder folder(folder_of(options, *experiment));
  if (auto checked = folder.check(*experiment, PROFFER_VERSION); !checked) return report(checked.error());
  Table table({"CELL", "SEEDS", "DONE"});
  for (const auto& cell : study::cells(*experiment)) {
    std::uint32_t done = 0;
    for (std::uint32_t n = 0; n < experiment->seed_count; ++n) {
      done += folder.is_complete(cell, experiment->first_seed + n) ? 1 : 0;
    }
    table.add({cell.name.empty() ? "(one)" : cell.name, std::to_string(experiment->seed_count),
               std::to_string(done)});
  }
  std::fputs(table.text().c_str(), stdout);
  return kOk;
}

/// Runs everything again, and compares digests.
int verify(const ExperimentOptions& options) {
  if (auto loaded = load_plugins(options.plugins); !loaded) return report(loaded.error());
  const ResultsFolder folder(options.target);
  const auto experiment = folder.experiment();
  if (!experiment) return report(experiment.error());
  if (experiment->live) {
    return report(
        {ErrorCode::invalid, options.target + " holds live runs, and no two of these are the same"});
  }
  const auto differing = differing_runs(*experiment, folder, options.jobs);
  if (!differing) return report(differing.error());
  for (const auto& sentence : differing->sentences) fmt::print("{}\n", sentence);
  fmt::print("{} runs compared, {} differ\n", differing->compared, differing->sentences.size());
  return differing->sentences.empty() ? kOk : kInvariant;
}

}  // namespace

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

Result<Experiment> read_experiment(const std::string& file, std::vector<std::string> overrides,
                                   const std::vector<std::string>& plugins, const WorldOptions& world) {
  if (world.live) overrides.emplace_back("mode=live");
  // An override is seen from the folder of the experiment, a word of the command line from here.
  if (!world.machines.empty()) {
    std::error_code ignored;
    overrides.push_back("machines=" + std::filesystem::absolute(world.machines, ignored).string());
  }
  if (world.time_scale) overrides.push_back(fmt::format("time_scale={:g}", *world.time_scale));
  auto experiment = study::read_experiment(file, overrides, plugins);
  if (experiment && world.time_scale && !experiment->live) {
    return Error{ErrorCode::invalid, "--scale-time is for live runs; add --live"};
  }
  if (experiment && !world.machines.empty() && !experiment->live) {
    return Error{ErrorCode::invalid, "--machines is for live runs; add --live"};
  }
  if (experiment && experiment->live && !experiment->machines.empty()) {
    if (auto machines = live::read_machines(experiment->machines); !machines) return machines.error();
  }
  return experiment;
}

std::string world_sentence(const Experiment& experiment) {
  if (!experiment.live) return "";
  return fmt::format("live: real processes on {}, {:g} s for a second of the experiment\n",
                     experiment.machines.empty() ? "this machine" : "the machines of " + experiment.machines,
                     experiment.time_scale);
}

int run_experiment(const ExperimentOptions& options) {
  if (options.verb == "collect") {
    const auto collected = collect_figures(options.folders, options.dir);
    return collected ? kOk : report(collected.error());
  }
  if (options.verb == "list") return list(options);
  if (options.verb == "describe") return describe(options);
  if (options.verb == "verify") return verify(options);
  if (options.verb == "resume") {
    const auto experiment = read(options);
    if (!experiment) return report(experiment.error());
    const auto path = folder_of(options, *experiment);
    if (!std::filesystem::exists(path)) {
      return report({ErrorCode::not_found, path + " is not there; begin with `proffer experiment run`"});
    }
  }
  return run_all(options);
}

}  // namespace proffer::cli
