// Carries out a plan of an experiment with real processes: an allocator, a catalog, an agent for each node
// and a process for each tenant, on free ports. All are on this machine, but for agents that are put on
// others. Their event logs tell the results, in the plan's time, so that the same recorder measures them as
// for a simulation.
//
// Tasks are real processes that read real blocks (holes of the disk) and write real output, but let their
// computing time pass instead of using the processor for it: nodes of a plan share machines here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proffer/live/machines.hpp"
#include "proffer/live/stop.hpp"
#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"
#include "proffer/study/trace_sink.hpp"

namespace proffer::live {

/// The time at which the workload begins, in the time of the lines that are told.
inline constexpr Time kPlanStart = time_from_us(3'600'000'000);

struct LiveOptions {
  std::string proffer_path;  ///< the `proffer` program
  /// The command of a tenant's process, which must call run_tenant() with this same plan and scale. These are
  /// appended: --framework NAME --allocator ENDPOINT --event-log FILE.
  std::vector<std::string> tenant;
  std::string dir;                      ///< an empty folder for state and logs; it stays
  double time_scale = 1;                ///< see study::scaled()
  std::optional<MachineList> machines;  ///< where agents run; none: here
  std::string version;                  ///< what `proffer` must be on all of them
  /// Called now and then with the progress: the plan's time, jobs that have ended.
  std::function<void(Duration, std::uint64_t)> progress;
};

struct LiveRun {
  std::uint64_t lines = 0;  ///< lines given to the sink
  Duration duration{};      ///< the plan's time until the last job's end, or the horizon
  std::uint64_t jobs_ended = 0;
  std::vector<std::string> jobs_failed;  ///< name and reason
  std::vector<study::MachineRow> machines;
};

/// Returns when all jobs have ended, or at the horizon; every process has ended then. Errors of check_plan,
/// check_live and deal_nodes; `io` when a process cannot be started or ends too early, or a machine cannot be
/// reached or goes; `refused` when `stop` was requested.
Result<LiveRun> run_plan(const study::Plan& plan, study::TraceSink& sink, const LiveOptions& options,
                         Stop& stop);

/// Checks that a live run can do what the plan asks for; `invalid` with one sentence about what it cannot.
/// `machines`: those that agents are put on.
Result<> check_live(const study::Plan& plan, std::size_t machines = 1);
/// The differences between the plan and a live run of it, a sentence each; then what its machines were like.
std::vector<std::string> live_notes(const study::Plan& plan, const std::vector<study::MachineRow>& machines);

struct TenantConfig {
  std::string framework;  ///< name of the framework in the plan
  std::string allocator;  ///< the allocator's endpoint for frameworks
  std::string event_log;
  double time_scale = 1;
};

/// The process of a tenant: says "ready", then runs the jobs whose numbers in the plan's workload it reads as
/// lines "submit N", and says "ended N", or "failed N WHY", until its input ends. `not_found` when the plan
/// has no such framework; errors of run_framework and of its refusal.
Result<> run_tenant(const study::Plan& plan, const TenantConfig& config, Stop& stop);

}  // namespace proffer::live
