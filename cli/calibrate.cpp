// The command `proffer study calibrate`: runs an experiment with real processes, finds the cost model that
// fits them, and says how well the simulator then predicts what they did.
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
#include "proffer/sim/fit.hpp"

namespace proffer::cli {
namespace {

using formats::JsonNode;
using sim::Fit;
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

/// A line of the verdict: means over the seeds of a cell.
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

double seconds_of(Duration time) { return std::chrono::duration<double>(time).count(); }

void print_fit(const Fit& fit) {
  const auto& [times, planned, found] = fit;
  const auto text = [](double seconds) { return fmt::format("{:.2f} s", seconds); };
  Table table({"WHAT", "PLANNED", "FOUND", "FROM"});
  table.add({"T, of a node-local map", text(times.local_planned), text(times.local_took),
             fmt::format("{} maps", times.local)});
  table.add({"start-up, of that", text(seconds_of(planned.start_up)), text(seconds_of(found.start_up)), ""});
  if (times.turns > 0) {
    table.add({"a freed slot stood", "", text(times.turn), fmt::format("{} slots", times.turns)});
  }
  table.add({"bandwidth of a node", rate_text(planned.bandwidth), rate_text(found.bandwidth),
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
                               {"start_up_s", seconds_of(fit.found.start_up)},
                               {"slot_stood_s", fit.times.turn},
                               {"bandwidth", static_cast<std::int64_t>(fit.found.bandwidth)}});
  all.set("predictions", JsonNode::array(std::move(rows)));
  fmt::print("{}\n", formats::dump_json(all));
}

/// Prints rows for `proffer experiment collect`: the costs found, and a check for each prediction.
void print_rows(const std::string& experiment, const Fit& fit, const std::vector<Prediction>& predictions) {
  std::vector<JsonNode> rows;
  const auto found = [&](const char* measure, const char* label, double value) {
    rows.push_back(JsonNode::object({{"id", "B6"},
                                     {"experiment", experiment},
                                     {"cell", ""},
                                     {"label", label},
                                     {"measure", measure},
                                     {"paper", JsonNode()},
                                     {"ours", value},
                                     {"ci95", JsonNode()},
                                     {"seeds", JsonNode()},
                                     {"digest", ""},
                                     {"note", "fitted to live runs of this machine"}}));
  };
  found("local_map_s", "T, of a node-local map (s)", fit.times.local_took);
  found("start_up_s", "start-up (s)", seconds_of(fit.found.start_up));
  found("slot_stood_s", "a freed slot stood (s)", fit.times.turn);
  found("bandwidth", "bandwidth of a node (B/s)", static_cast<double>(fit.found.bandwidth));
  for (const auto& one : predictions) {
    const auto bound =
        fmt::format("{:.0f}{}", 100 * (one.part ? kLocalityBound : kTimeBound), one.part ? " points" : "%");
    rows.push_back(JsonNode::object(
        {{"id", "B6"},
         {"experiment", experiment},
         {"cell", one.cell},
         {"check", fmt::format("{} simulated, within {} of the live one", one.measure, bound)},
         {"passed", one.holds()},
         {"left", one.simulated},
         {"right", one.live}}));
  }
  fmt::print("{}\n", formats::dump_json(JsonNode::array(std::move(rows))));
}

}  // namespace

int run_calibrate(const CalibrateOptions& options) {
  auto experiment =
      read_experiment(options.file, options.overrides, options.plugins, {true, options.time_scale, {}});
  if (!experiment) return report(experiment.error());
  if (options.seeds) experiment->seed_count = *options.seeds;
  const auto live = run_live(*experiment, !options.quiet && stderr_is_terminal());
  if (!live) return report(live.error());
  const auto fit = sim::fit_to(*live);
  if (!fit) return report(fit.error());
  const auto simulated = sim::predict(*live, fit->found);
  if (!simulated) return report(simulated.error());
  const auto predictions = compare(*live, *simulated);
  if (options.rows) {
    print_rows(experiment->name, *fit, predictions);
  } else if (options.json) {
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
