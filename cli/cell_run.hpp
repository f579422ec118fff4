// One cell and seed of an experiment, run and measured.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "proffer/result.hpp"
#include "proffer/study/experiment.hpp"
#include "proffer/study/results.hpp"

namespace proffer::cli {

struct CellRunOptions {
  bool tasks = true;    // true: keep rows of tasks
  bool offers = false;  // true: keep rows of offers
  std::string events;   // the file for the event log; empty: none
  std::function<void(double seconds_of_the_plan, std::uint64_t jobs_ended)> progress;
  // options of simulations
  // Called once for each setting that cannot be kept, or has no effect.
  std::function<void(const std::string&)> warn;
  bool alone = true;  // true: measure slowdowns, where the experiment wants them
  bool codec = false;
  std::uint64_t check_every = 0;
};

/// Simulates a cell with a seed. Errors of make_plan and simulate.
Result<study::RunResult> simulated_run(const study::Experiment& experiment, const study::Cell& cell,
                                       std::uint64_t seed, const CellRunOptions& options);
/// Runs a cell by real processes on this machine, which end with it, as they do at Ctrl-C (`refused`). Only
/// one run at a time. Errors of make_plan and live::run_plan, and `refused` when a job failed.
Result<study::RunResult> live_run(const study::Experiment& experiment, const study::Cell& cell,
                                  std::uint64_t seed, const CellRunOptions& options);
/// Runs a cell in the world that the experiment is for.
Result<study::RunResult> cell_run(const study::Experiment& experiment, const study::Cell& cell,
                                  std::uint64_t seed, const CellRunOptions& options);

}  // namespace proffer::cli
