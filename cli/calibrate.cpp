// `proffer study calibrate`: an experiment by real processes, the cost model that fits them, and how well the
// simulator then predicts what they did.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/cell_run.hpp"
#include "cli/output.hpp"
#include "cli/study_commands.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/sim/simulate.hpp"
#include "proffer/study/calibration.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::cli {
namespace {

using formats::JsonNode;
using study::Calibration;
using study::MeasuredRun;
using Runs = std::vector<MeasuredRun>;

constexpr double kLocalityBound = 0.03;  // absolute
constexpr double kTimeBound = 0.10;      // of the live one

Result<Runs> run_live(const study::Experiment& experiment, bool show) {
  Runs runs;
  const auto cells = study::cells(experiment);
  const auto all = cells.size() * experiment.seed_count;
  for (const auto& cell : cells) {
    for (std::uint32_t i = 0; i < experiment.seed_count; ++i) {
      if (show) fmt::print(stderr, "\rlive run {} of {} ", runs.size() + 1, all);
      const auto seed = experiment.first_seed + i;
      auto plan = study::make_plan(experiment, cell, seed);
      if (!plan) return plan.error();
      auto result = live_run(experiment, cell, seed, {});
      if (!result) return result.error();
      runs.push_back({std::move(*plan), std::move(*result)});
    }
  }
  if (show) fmt::print(stderr, "\r\033[K");
  return runs;
}

/// The same plans in the simulator, with that cost model.
Result<Runs> predict(const Runs& live, const Calibration& calibration) {
  Runs runs;
  for (const auto& run : live) {
    auto plan = study::calibrated(run.plan, calibration);
    study::Recorder recorder(plan, sim::kStart);
    const auto simulated = sim::simulate(plan, recorder);
    if (!simulated) return simulated.error();
    if (auto checked = check_no_job_failed(simulated->jobs_failed); !checked) return checked.error();
    auto result = recorder.finish(simulated->duration);
    runs.push_back({std::move(plan), std::move(result)});
  }
  return runs;
}

struct Fit {
  study::MapTimes times;
  Duration planned_start_up{};
  std::uint64_t planned_bandwidth = 0;
  Calibration found;
};

/// The bandwidth with which simulated remote maps take as long on the average as the live ones did: more
/// bandwidth never makes them slower.
Result<> fit_bandwidth(const Runs& live, Fit& fit) {
  constexpr int kSteps = 12;
  double low = std::log(static_cast<double>(fit.planned_bandwidth) / 8);
  double high = std::log(static_cast<double>(fit.planned_bandwidth) * 8);
  for (int step = 0; step < kSteps; ++step) {
    const double middle = (low + high) / 2;
    fit.found.bandwidth = static_cast<std::uint64_t>(std::exp(middle));
    const auto simulated = predict(live, fit.found);
    if (!simulated) return simulated.error();
    const auto took = study::map_times(*simulated).remote_took - fit.times.turn;
    (took > fit.times.remote_took ? low : high) = middle;
  }
  return {};
}

Result<Fit> fit_to(const Runs& live) {
  Fit fit;
  fit.times = study::map_times(live);
  if (fit.times.local == 0) {
    return Error{ErrorCode::invalid, "no map of these runs was node-local; there is nothing to fit to"};
  }
  const auto& cost = live.front().plan.cost;
  fit.planned_start_up = cost.start_up;
  fit.planned_bandwidth = cost.remote_rate > 0 ? cost.remote_rate : cost.nic_rate;
  const auto more = fit.times.local_took - fit.times.local_planned + fit.times.turn;
  const auto whole = std::chrono::duration<double>(cost.start_up).count() + more;
  fit.found.start_up = Duration(std::llround(std::max(0.0, whole) * 1e6));
  fit.found.bandwidth = fit.planned_bandwidth;
  if (fit.times.remote == 0 || fit.planned_bandwidth == 0) return fit;
  if (auto fitted = fit_bandwidth(live, fit); !fitted) return fitted.error();
  return fit;
}

/// One line of the verdict: means over the seeds of a cell.
struct Prediction {
  std::string cell;
  std::string measure;
  double live = 0;
  double simulated = 0;
  bool part = false;  // not a time
  double difference() const { return part ? simulated - live : simulated / live - 1; }
  bool holds() const { return std::abs(difference()) <= (part ? kLocalityBound : kTimeBound); }
};

double mean_of(const Runs& runs, const std::string& cell, const std::string& measure) {
  double sum = 0;
  int n = 0;
  for (const auto& run : runs) {
    const auto at = run.result.measures.find(measure);
    if (run.plan.cell != cell || at == run.result.measures.end()) continue;
    sum += at->second;
    ++n;
  }
  return n == 0 ? 0 : sum / n;
}

std::vector<Prediction> compare(const Runs& live, const Runs& simulated) {
  std::vector<Prediction> all;
  for (const auto& run : live) {
    const auto& cell = run.plan.cell;
    if (!all.empty() && all.back().cell == cell) continue;  // another seed
    for (const auto* measure : {"node_local", "response_mean", "response_p95", "makespan"}) {
      all.push_back({cell, measure, mean_of(live, cell, measure), mean_of(simulated, cell, measure),
                     std::string_view(measure) == "node_local"});
    }
  }
  return all;
}

std::string rate_text(std::uint64_t rate) {
  return rate == 0 ? "unlimited" : fmt::format("{:.1f} MB/s", static_cast<double>(rate) / 1e6);
}

void print_fit(const Fit& fit) {
  const auto& times = fit.times;
  const auto start_up = std::chrono::duration<double>(fit.found.start_up).count();
  Table table({"WHAT", "PLANNED", "FOUND", "FROM"});
  table.add({"T, of a node-local map", fmt::format("{:.2f} s", times.local_planned),
             fmt::format("{:.2f} s", times.local_took), fmt::format("{} maps", times.local)});
  table.add({"report period", "0.00 s", fmt::format("{:.2f} s", times.turn),
             fmt::format("{} slots from a map's end to the next", times.turns)});
  table.add({"start-up, with both",
             fmt::format("{:.2f} s", std::chrono::duration<double>(fit.planned_start_up).count()),
             fmt::format("{:.2f} s", start_up), ""});
  table.add({"bandwidth of a node", rate_text(fit.planned_bandwidth), rate_text(fit.found.bandwidth),
             fmt::format("{} remote maps of {:.2f} s", times.remote, times.remote_took)});
  fmt::print("{}\n", table.text());
}

void print_predictions(const std::vector<Prediction>& predictions) {
  Table table({"CELL", "MEASURE", "LIVE", "SIMULATED", "DIFFERENCE", "BOUND", "HOLDS"});
  for (const auto& one : predictions) {
    const double unit = one.part ? 100 : 1;
    table.add(
        {one.cell.empty() ? "(one)" : one.cell, one.measure + (one.part ? " (%)" : " (s)"),
         fmt::format("{:.1f}", unit * one.live), fmt::format("{:.1f}", unit * one.simulated),
         fmt::format("{:+.1f}{}", 100 * one.difference(), one.part ? " points" : "%"),
         fmt::format("{:.0f}{}", 100 * (one.part ? kLocalityBound : kTimeBound), one.part ? " points" : "%"),
         one.holds() ? "yes" : "no"});
  }
  fmt::print("{}", table.text());
}

void print_json(const Fit& fit, const std::vector<Prediction>& predictions) {
  std::vector<JsonNode> rows;
  for (const auto& one : predictions) {
    rows.push_back(JsonNode::object({{"cell", one.cell},
                                     {"measure", one.measure},
                                     {"live", one.live},
                                     {"simulated", one.simulated},
                                     {"difference", one.difference()},
                                     {"holds", one.holds()}}));
  }
  auto all = JsonNode::object({{"local_map_s", fit.times.local_took},
                               {"local_map_planned_s", fit.times.local_planned},
                               {"report_period_s", fit.times.turn},
                               {"start_up_s", std::chrono::duration<double>(fit.found.start_up).count()},
                               {"bandwidth", static_cast<std::int64_t>(fit.found.bandwidth)}});
  all.set("predictions", JsonNode::array(std::move(rows)));
  fmt::print("{}\n", formats::dump_json(all));
}

}  // namespace

int run_calibrate(const CalibrateOptions& options) {
  auto experiment =
      read_experiment(options.file, options.overrides, options.plugins, {true, options.time_scale});
  if (!experiment) return report(experiment.error());
  if (options.seeds) experiment->seed_count = *options.seeds;
  const auto live = run_live(*experiment, !options.quiet && stderr_is_terminal());
  if (!live) return report(live.error());
  const auto fit = fit_to(*live);
  if (!fit) return report(fit.error());
  const auto simulated = predict(*live, fit->found);
  if (!simulated) return report(simulated.error());
  const auto predictions = compare(*live, *simulated);
  if (options.json) {
    print_json(*fit, predictions);
  } else {
    print_fit(*fit);
    print_predictions(predictions);
    fmt::print("{}\n", world_sentence(*experiment));
  }
  const bool all = std::all_of(predictions.begin(), predictions.end(), [](auto& one) { return one.holds(); });
  return all ? kOk : kInvariant;
}

}  // namespace proffer::cli
