#include <fmt/format.h>

#include <chrono>

#include "cli/cell_run.hpp"
#include "cli/paths.hpp"
#include "cli/recording.hpp"
#include "proffer/live/run_plan.hpp"

namespace proffer::cli {
namespace {

/// Returns the command with which another process of this program sees the same plan.
std::vector<std::string> tenant_command(const study::Experiment& experiment, const study::Cell& cell,
                                        std::uint64_t seed) {
  std::vector<std::string> words{own_path(),  "tenant", experiment.file,     "--cell",
                                 cell.folder, "--seed", std::to_string(seed)};
  for (const auto& override : experiment.overrides) words.insert(words.end(), {"--set", override});
  for (const auto& plugin : experiment.plugins) words.insert(words.end(), {"--plugin", plugin.path});
  return words;
}

}  // namespace

Result<study::RunResult> live_run(const study::Experiment& experiment, const study::Cell& cell,
                                  std::uint64_t seed, const CellRunOptions& options) {
  const auto plan = study::make_plan(experiment, cell, seed);
  if (!plan) return plan.error();
  Recording recording(*plan, live::kPlanStart, {options.tasks, options.offers}, options.events);
  if (auto opened = recording.check(); !opened) return opened.error();
  const auto folder = TemporaryFolder::make("proffer-live");
  if (!folder) return folder.error();
  live::LiveOptions settings;
  settings.proffer_path = own_path();
  settings.tenant = tenant_command(experiment, cell, seed);
  settings.dir = folder->path();
  settings.time_scale = experiment.time_scale;
  settings.version = PROFFER_VERSION;
  if (!experiment.machines.empty()) {
    auto machines = live::read_machines(experiment.machines);
    if (!machines) return machines.error();
    settings.machines = std::move(*machines);
  }
  if (options.progress) {
    settings.progress = [&](Duration run, std::uint64_t jobs) {
      options.progress(std::chrono::duration<double>(run).count(), jobs);
    };
  }
  live::Stop stop;
  stop.on_signals();
  const auto begin = std::chrono::steady_clock::now();
  const auto ran = live::run_plan(*plan, recording, settings, stop);
  if (!ran) return ran.error();
  if (const auto& failed = ran->jobs_failed; !failed.empty()) {
    return Error{ErrorCode::refused,
                 fmt::format("{} jobs failed; the first: {}", failed.size(), failed.front())};
  }
  if (auto written = recording.check(); !written) return written.error();
  auto result = recording.finish(ran->duration);
  result.world = {true, experiment.time_scale, live::live_notes(*plan, ran->machines)};
  result.events = ran->lines;
  result.machines = ran->machines;
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace proffer::cli
