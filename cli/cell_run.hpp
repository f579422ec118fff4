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
  bool tasks = true;    // keep rows of tasks
  bool offers = false;  // keep rows of offers
  std::string events;   // the event log goes there, unless empty
  std::function<void(double seconds_of_the_plan, std::uint64_t jobs_ended)> progress;
  // of simulations
  std::function<void(const std::string&)> warn;  // of settings that cannot be kept, or do nothing; each once
  bool alone = true;                             // measure slowdowns, where the experiment wants them
  bool codec = false;
  std::uint64_t check_every = 0;
};

/// Errors of make_plan and simulate.
Result<study::RunResult> simulated_run(const study::Experiment& experiment, const study::Cell& cell,
                                       std::uint64_t seed, const CellRunOptions& options);
/// By real processes on this machine, which end with it, as they do at Ctrl-C (`refused`). One at a time.
/// Errors of make_plan and live::run_plan, and `refused` when a job failed.
Result<study::RunResult> live_run(const study::Experiment& experiment, const study::Cell& cell,
                                  std::uint64_t seed, const CellRunOptions& options);
/// In the world that the experiment is for.
Result<study::RunResult> cell_run(const study::Experiment& experiment, const study::Cell& cell,
                                  std::uint64_t seed, const CellRunOptions& options);

}  // namespace proffer::cli
