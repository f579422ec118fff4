// The commands that study: one function a command; each returns an exit code.
#pragma once

#include "cli/options.hpp"
#include "cli/study_options.hpp"

namespace proffer::cli {

int run_sim(const SimOptions& options);
int run_experiment(const ExperimentOptions& options);
int run_policy(const PolicyOptions& options);
int report(const ReportOptions& options);
int trace(const TraceOptions& options);

/// Whether somebody looks at the progress.
bool stderr_is_terminal();

}  // namespace proffer::cli
