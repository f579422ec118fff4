// One cell and seed of an experiment, simulated and measured.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "proffer/result.hpp"
#include "proffer/study/experiment.hpp"
#include "proffer/study/results.hpp"

namespace proffer::cli {

struct SimulatedRunOptions {
  bool codec = false;
  std::uint64_t check_every = 0;
  bool tasks = true;    // keep rows of tasks
  bool offers = false;  // keep rows of offers
  std::string events;   // the event log goes there, unless empty
  std::function<void(double simulated_seconds, std::uint64_t jobs_ended)> progress;
};

/// Errors of make_plan and simulate, and `invalid` when a job failed.
Result<study::RunResult> simulated_run(const study::Experiment& experiment, const study::Cell& cell,
                                       std::uint64_t seed, const SimulatedRunOptions& options);

}  // namespace proffer::cli
