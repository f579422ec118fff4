// The simulated world: the shipped machines on a virtual clock, over a simulated network, with tasks that
// take as long as the plan's cost model says. The same plan gives the same trace lines on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "proffer/result.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/study/trace_sink.hpp"

namespace proffer::sim {

/// The time when frameworks subscribe and the workload begins; nodes register and report their blocks before.
inline constexpr Time kStart = time_from_us(10'000'000);

struct SimulationOptions {
  bool codec = false;             ///< every message through the wire codec
  std::uint64_t check_every = 0;  ///< events between two checks of all invariants; 0: none
  std::uint64_t event_limit = 0;  ///< give up beyond; 0: none
  /// Called now and then with the progress: simulated time since kStart, jobs that have ended.
  std::function<void(Duration, std::uint64_t)> progress;
};

struct Simulated {
  std::uint64_t events = 0;  ///< steps of machines
  Duration duration{};       ///< from kStart to the last job's end, or the horizon
  std::uint64_t jobs_ended = 0;
  bool complete = false;                      ///< every job has ended
  std::vector<std::string> jobs_failed = {};  ///< framework and reason
  std::uint64_t cached_bytes = 0;             ///< bytes read by nodes, to be kept for tasks
};

/// Runs the plan, with its trace lines into `sink`. `invalid` when the plan contradicts itself (a workload's
/// node that does not exist, a job of no framework, no slots of a kind that tasks need, ...); the allocator's
/// error when it refuses a framework (`unknown_pool`, ...); `slow_down` beyond event_limit.
Result<Simulated> simulate(const study::Plan& plan, study::TraceSink& sink,
                           const SimulationOptions& options = {});

}  // namespace proffer::sim
