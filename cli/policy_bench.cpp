// The command `proffer policy bench`: an experiment under one policy after the other, in one table.
#include <fmt/format.h>

#include <cstdio>

#include "cli/experiment_table.hpp"
#include "cli/output.hpp"
#include "cli/paths.hpp"
#include "cli/policy.hpp"
#include "cli/run_pool.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::cli {
namespace {

Result<study::Experiment> experiment_of(const PolicyOptions& options) {
  auto experiment = study::read_experiment(options.on, options.overrides, options.plugins);
  if (!experiment) return experiment.error();
  if (experiment->live) {
    return Error{
        ErrorCode::invalid,
        options.on + " is for live runs, and policies are compared in simulations; add --set mode=sim"};
  }
  if (options.seeds) experiment->seed_count = *options.seeds;
  for (const auto& text : options.names) {
    const auto spec = parse_policy(text);
    if (!spec) return spec.error();
    if (const auto policy = make_policy(*spec); !policy) return policy.error();
  }
  auto compared = study::with_policies(*experiment, options.names);
  if (compared && options.names.size() > 1) compared->report.baseline = options.names.front();
  return compared;
}

/// Runs into a folder that is deleted at the end: a comparison worth keeping is an experiment of its own.
Result<study::ExperimentSummary> run(const study::Experiment& experiment, const PolicyOptions& options) {
  const auto temporary = TemporaryFolder::make("proffer-bench");
  if (!temporary) return temporary.error();
  const study::ResultsFolder folder(temporary->path() + "/results");
  if (auto opened = folder.open(experiment, PROFFER_VERSION); !opened) return opened.error();
  RunPoolOptions pool;
  pool.threads = options.jobs;
  pool.show_progress = !options.quiet;
  if (auto ran = run_missing(experiment, folder, pool); !ran) return ran.error();
  const auto runs = folder.read_summaries(experiment);
  if (!runs) return runs.error();
  return study::summarize(experiment, *runs);
}

}  // namespace

int bench_policies(const PolicyOptions& options) {
  const auto experiment = experiment_of(options);
  if (!experiment) return report(experiment.error());
  const auto summary = run(*experiment, options);
  if (!summary) return report(summary.error());
  std::fputs(cells_table(*experiment, *summary).c_str(), stdout);
  std::fputs(differences_table(*experiment, *summary).c_str(), stdout);
  return kOk;
}

}  // namespace proffer::cli
