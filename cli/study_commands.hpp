// The commands that study: one function a command; each returns an exit code.
#pragma once

#include "cli/options.hpp"
#include "cli/study_options.hpp"
#include "proffer/study/experiment.hpp"

namespace proffer::cli {

int run_sim(const SimOptions& options);
int run_sim_storm(const StormOptions& options);
int run_experiment(const ExperimentOptions& options);
int run_policy(const PolicyOptions& options);
int run_pool_command(const PoolOptions& options);
int run_plan(const PlanOptions& options);
int run_calibrate(const CalibrateOptions& options);
int run_fit(const FitOptions& options);
int run_chaos(const ChaosOptions& options);
int run_tenant(const TenantOptions& options);
int run_outpost(const OutpostOptions& options);
int report(const ReportOptions& options);
int trace(const TraceOptions& options);

/// Reads the experiment of that file, for the world that is wanted; errors of read_experiment.
Result<study::Experiment> read_experiment(const std::string& file, std::vector<std::string> overrides,
                                          const std::vector<std::string>& plugins, const WorldOptions& world);

/// Returns "live: real processes on this machine, 0.1 s for a second of the experiment"; empty for a
/// simulation.
std::string world_sentence(const study::Experiment& experiment);

/// Returns whether somebody looks at the progress.
bool stderr_is_terminal();

}  // namespace proffer::cli
