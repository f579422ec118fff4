// A plan of an experiment, carried out by real processes on this machine: an allocator, a catalog, an agent a
// node and a process a tenant, on free loopback ports. Their event logs tell what came of it, in the plan's
// time, so that the same recorder measures it as a simulation.
//
// Tasks are real processes that read real blocks (holes of the disk) and write real output, but let their
// computing time pass instead of using the processor for it: the nodes of a plan share one machine here.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "proffer/live/stop.hpp"
#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/trace_sink.hpp"

namespace proffer::live {

/// The beginning of the workload, in the time of the lines that the sink gets.
inline constexpr Time kPlanStart = time_from_us(3'600'000'000);
/// So many agents one machine is asked to hold.
inline constexpr std::size_t kMostLiveNodes = 64;

struct LiveOptions {
  std::string proffer_path;  ///< the `proffer` program
  /// The command of a tenant's process, which is to call run_tenant() with this same plan and scale. Added to
  /// it: --framework NAME --allocator ENDPOINT --event-log FILE.
  std::vector<std::string> tenant;
  std::string dir;        ///< an empty folder for state and logs; it stays
  double time_scale = 1;  ///< see study::scaled()
  /// Called now and then with how far the run is: the plan's time, jobs that have ended.
  std::function<void(Duration, std::uint64_t)> progress;
};

struct LiveRun {
  std::uint64_t lines = 0;  ///< told to the sink
  Duration duration{};      ///< the plan's time to the last job's end, or the horizon
  std::uint64_t jobs_ended = 0;
  std::vector<std::string> jobs_failed;  ///< name and reason
};

/// Returns when all jobs have ended, or at the horizon; every process has ended then. Errors of check_plan
/// and check_live; `io` when a process cannot be started or ends too early; `refused` when `stop` was
/// requested.
Result<LiveRun> run_plan(const study::Plan& plan, study::TraceSink& sink, const LiveOptions& options,
                         Stop& stop);

/// Checks that the plan can be run live. `invalid` with one sentence: what the plan asks for that a live run
/// does not have.
Result<> check_live(const study::Plan& plan);
/// Returns what a live run does otherwise than the plan says, a sentence each.
std::vector<std::string> live_notes(const study::Plan& plan);

struct TenantConfig {
  std::string framework;  ///< the framework's name in the plan
  std::string allocator;  ///< the allocator's endpoint for frameworks
  std::string event_log;
  double time_scale = 1;
};

/// Runs a tenant's process: prints "ready", then runs the jobs whose numbers in the plan's workload it reads
/// as lines "submit N", and prints "ended N", or "failed N WHY", until its input ends. `not_found` when the
/// plan has no such framework; errors of run_framework and of its refusal.
Result<> run_tenant(const study::Plan& plan, const TenantConfig& config, Stop& stop);

}  // namespace proffer::live
