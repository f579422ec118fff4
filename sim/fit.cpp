#include "proffer/sim/fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "proffer/sim/simulate.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::sim {
namespace {

using MeasuredRuns = std::vector<study::MeasuredRun>;

constexpr int kFitSteps = 12;  // precise to a part in four thousand of the range that is searched

Result<study::MapTimes> times_with(const MeasuredRuns& live, const study::Calibration& calibration) {
  const auto simulated = predict(live, calibration);
  if (!simulated) return simulated.error();
  return study::map_times(*simulated);
}

double seconds_in(Duration time) { return std::chrono::duration<double>(time).count(); }
Duration as_duration(double seconds) { return Duration(std::llround(std::max(0.0, seconds) * 1e6)); }

study::Calibration planned_for(const study::Plan& plan) {
  const auto& cost = plan.cost;
  return {cost.start_up, cost.remote_rate > 0 ? cost.remote_rate : cost.nic_rate};
}

/// Finds the start-up with which simulated local maps of agents that report take as long as the live ones
/// did: what a map waits for its agent's report is in both.
Result<> fit_start_up(const MeasuredRuns& live, Fit& fit) {
  double low = 0;
  double high =
      seconds_in(fit.planned.start_up) + std::max(0.0, fit.times.local_took - fit.times.local_planned);
  for (int step = 0; step < kFitSteps; ++step) {
    const double middle = (low + high) / 2;
    fit.found.start_up = as_duration(middle);
    const auto times = times_with(live, fit.found);
    if (!times) return times.error();
    (times->local_took < fit.times.local_took ? low : high) = middle;
  }
  return {};
}

/// Finds the bandwidth with which simulated remote maps take as long on the average as the live ones did:
/// more bandwidth never makes them slower. `way`: what of the start-up is no part of a task's own time.
Result<> fit_bandwidth(const MeasuredRuns& live, double way, Fit& fit) {
  if (fit.times.remote == 0 || fit.planned.bandwidth == 0) return {};
  double low = std::log(static_cast<double>(fit.planned.bandwidth) / 8);
  double high = std::log(static_cast<double>(fit.planned.bandwidth) * 8);
  for (int step = 0; step < kFitSteps; ++step) {
    const double middle = (low + high) / 2;
    fit.found.bandwidth = static_cast<std::uint64_t>(std::exp(middle));
    const auto times = times_with(live, fit.found);
    if (!times) return times.error();
    (times->remote_took - way > fit.times.remote_took ? low : high) = middle;
  }
  return {};
}

}  // namespace

Result<MeasuredRuns> predict(const MeasuredRuns& runs, const study::Calibration& calibration) {
  MeasuredRuns predicted;
  for (const auto& run : runs) {
    auto plan = study::calibrated(run.plan, calibration);
    study::Recorder recorder(plan, kStart);
    const auto simulated = simulate(plan, recorder);
    if (!simulated) return simulated.error();
    if (!simulated->jobs_failed.empty()) {
      return Error{ErrorCode::invalid, "in the simulator a job failed: " + simulated->jobs_failed.front()};
    }
    auto result = recorder.finish(simulated->duration);
    predicted.push_back({std::move(plan), std::move(result)});
  }
  return predicted;
}

Result<Fit> fit_to(const MeasuredRuns& live) {
  Fit fit;
  fit.times = study::map_times(live);
  if (fit.times.local == 0) {
    return Error{ErrorCode::invalid, "no map of these runs was node-local; there is nothing to fit to"};
  }
  fit.planned = planned_for(live.front().plan);
  fit.found = fit.planned;
  const auto more = fit.times.local_took - fit.times.local_planned;
  // Slots are offered at once if agents do not report: one is free only while messages are on their way.
  const bool reports = live.front().plan.allocator.report_period > Duration::zero();
  const auto way = reports ? 0 : fit.times.turn;
  fit.found.start_up = as_duration(std::max(0.0, seconds_in(fit.planned.start_up) + more + way));
  if (auto fitted = reports ? fit_start_up(live, fit) : Result<>(); !fitted) return fitted.error();
  if (auto fitted = fit_bandwidth(live, way, fit); !fitted) return fitted.error();
  return fit;
}

}  // namespace proffer::sim
