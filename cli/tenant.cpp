// The command `proffer tenant`: one framework of a live run, started by the run itself.
#include <algorithm>

#include "cli/output.hpp"
#include "cli/study_commands.hpp"
#include "proffer/live/run_plan.hpp"
#include "proffer/study/experiment.hpp"

namespace proffer::cli {
namespace {

Result<> run(const TenantOptions& options) {
  const auto experiment = study::read_experiment(options.file, options.overrides, options.plugins);
  if (!experiment) return experiment.error();
  const auto cells = study::cells(*experiment);
  const auto cell =
      std::find_if(cells.begin(), cells.end(), [&](const auto& one) { return one.folder == options.cell; });
  if (cell == cells.end()) return Error{ErrorCode::not_found, "there is no cell " + options.cell};
  const auto plan = study::make_plan(*experiment, *cell, options.seed);
  if (!plan) return plan.error();
  live::Stop stop;
  stop.on_signals();
  return live::run_tenant(
      *plan, {options.framework, options.allocator, options.event_log, experiment->time_scale}, stop);
}

}  // namespace

int run_tenant(const TenantOptions& options) {
  const auto ran = run(options);
  return ran ? kOk : report(ran.error());
}

}  // namespace proffer::cli
