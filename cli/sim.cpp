// The command `proffer sim`: one run of one cell.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/cell_run.hpp"
#include "cli/experiment_table.hpp"
#include "cli/output.hpp"
#include "cli/study_commands.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/study/tenants.hpp"

namespace proffer::cli {
namespace {

/// Returns the only cell, or the one that the filter means.
Result<study::Cell> choose(const std::vector<study::Cell>& cells, const std::string& filter) {
  std::vector<const study::Cell*> fitting;
  for (const auto& cell : cells) {
    if (study::matches(cell, filter)) fitting.push_back(&cell);
  }
  if (fitting.size() == 1) return *fitting.front();
  std::string names;
  for (const auto& cell : cells) names += fmt::format("\n  {}", cell.name);
  return Error{ErrorCode::invalid,
               fmt::format("{} of the {} cells {}; name one with --cell:{}", fitting.size(), cells.size(),
                           filter.empty() ? "could be meant" : fmt::format("match \"{}\"", filter), names)};
}

void print(const study::Experiment& experiment, const study::RunResult& result, bool json) {
  const auto last = fmt::format("digest {} events {} {}_seconds {:.3f} wall_seconds {:.3f}\n{}",
                                result.digest, result.events, result.world.name(), result.run_seconds,
                                result.wall_seconds, world_sentence(experiment));
  if (json) {
    auto measures = formats::JsonNode::object();
    for (const auto& [name, value] : result.measures) measures.set(name, value);
    auto all = formats::JsonNode::object();
    all.set("experiment", result.experiment);
    all.set("cell", result.cell);
    all.set("seed", static_cast<std::int64_t>(result.seed));
    all.set("digest", result.digest);
    all.set("events", static_cast<std::int64_t>(result.events));
    all.set("world", std::string(result.world.name()));
    all.set("time_scale", result.world.time_scale);
    all.set("run_seconds", result.run_seconds);
    all.set("wall_seconds", result.wall_seconds);
    all.set("measures", std::move(measures));
    std::fputs((formats::dump_json(all) + "\n").c_str(), stdout);
    return;
  }
  Table table({"MEASURE", "VALUE"});
  for (const auto& [name, value] : result.measures) {
    if (!study::tenant_measure(name)) table.add({name, fmt::format("{:.6g}", value)});
  }
  study::ExperimentSummary one;
  one.cells.emplace_back();
  for (const auto& [name, value] : result.measures) one.cells[0].measures[name] = {1, value, {}};
  std::fputs((table.text() + tenant_tables(one) + last).c_str(), stdout);
}

}  // namespace

int run_sim(const SimOptions& options) {
  const auto experiment = read_experiment(options.file, options.overrides, options.plugins, options.world);
  if (!experiment) return report(experiment.error());
  if (experiment->live && (options.codec || options.check_every > 0)) {
    return usage_error("--codec and --check-every are for simulations");
  }
  const auto cell = choose(study::cells(*experiment), options.cell);
  if (!cell) return report(cell.error());
  CellRunOptions how;
  how.codec = options.codec;
  how.check_every = options.check_every;
  how.tasks = !options.tables.empty();
  how.events = options.events;
  const bool show = !options.quiet && stderr_is_terminal();
  how.warn = [show](const std::string& why) {
    fmt::print(stderr, "{}warning: {}\n", show ? "\r\033[K" : "", why);
  };
  if (show) {
    how.progress = [](double run, std::uint64_t jobs) {
      fmt::print(stderr, "\r{:.0f} s of the plan, {} jobs ended ", run, jobs);
    };
  }
  const auto result = cell_run(*experiment, *cell, options.seed, how);
  if (show) fmt::print(stderr, "\r\033[K");
  if (!result) return report(result.error());
  if (const auto left = result->measures.at("jobs.unfinished"); left > 0) {
    fmt::print(stderr, "proffer: {} jobs had not ended when the run did\n", left);
  }
  if (!options.tables.empty()) {
    if (auto written = study::write_run(options.tables, *result); !written) return report(written.error());
  }
  print(*experiment, *result, options.json);
  const auto failed = std::find_if(result->jobs.begin(), result->jobs.end(),
                                   [](const auto& job) { return job.finished && !job.ok; });
  if (failed == result->jobs.end()) return kOk;
  fmt::print(stderr, "proffer: {} jobs failed; the first: {}\n", result->measures.at("jobs.failed"),
             failed->name);
  return kFailed;
}

}  // namespace proffer::cli
