#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/cell_run.hpp"
#include "cli/recording.hpp"
#include "proffer/sim/alone.hpp"
#include "proffer/sim/simulate.hpp"

namespace proffer::cli {
Result<study::RunResult> simulated_run(const study::Experiment& experiment, const study::Cell& cell,
                                       std::uint64_t seed, const CellRunOptions& options) {
  const auto plan = study::make_plan(experiment, cell, seed);
  if (!plan) return plan.error();
  Recording recording(*plan, sim::kStart, {options.tasks, options.offers}, options.events);
  for (const auto& note : opening_notes(plan->allocator)) recording.note("allocator", note);
  if (auto opened = recording.check(); !opened) return opened.error();
  sim::SimulationOptions settings;
  settings.codec = options.codec;
  settings.check_every = options.check_every;
  if (options.progress) {
    settings.progress = [&](Duration simulated, std::uint64_t jobs) {
      options.progress(std::chrono::duration<double>(simulated).count(), jobs);
    };
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto simulated = sim::simulate(*plan, recording, settings);
  if (!simulated) return simulated.error();
  if (options.warn) std::for_each(recording.warnings().begin(), recording.warnings().end(), options.warn);
  if (auto written = recording.check(); !written) return written.error();
  study::AloneTimes alone;
  if (experiment.report.slowdown && options.alone) {
    auto measured = sim::responses_alone(*plan);
    if (!measured) return measured.error();
    alone = std::move(*measured);
  }
  auto result = recording.finish(simulated->duration, alone);
  result.events = simulated->events;
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace proffer::cli
