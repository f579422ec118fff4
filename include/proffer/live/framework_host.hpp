// Runs one framework in a client process: `proffer mr`, `proffer run`, and whatever else has a Scheduler.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "proffer/frameworks/framework.hpp"
#include "proffer/live/port.hpp"
#include "proffer/live/stop.hpp"

namespace proffer::live {

struct FrameworkHostConfig {
  FrameworkConfig framework;
  std::string allocator;  ///< the allocator's endpoint for frameworks
  std::string event_log;  ///< a file; empty: none
  /// Give up when there has been no session for so long at the start; none: never. Later it is waited for as
  /// long as it takes. Time in which this process itself did not run does not count.
  std::optional<Duration> unreachable_after = std::chrono::seconds(10);
  /// Times at which people are told that a session which was lost is waited for: first after so long, then
  /// each time after so long.
  Duration say_waiting_after = std::chrono::seconds(5);
  Duration say_waiting_every = std::chrono::minutes(1);
  std::optional<Duration> timeout;  ///< the time for the whole; none: as long as it takes
  Duration progress_every = std::chrono::seconds(1);
  std::function<void()> progress;  ///< called so often, and once at the end
  /// A descriptor with something for whoever feeds the scheduler: when it is readable, `read_input` is
  /// called, and then the scheduler is given a TimePassed. -1: none.
  int input = -1;
  std::function<void()> read_input;
  /// Called once when a stop is requested; the scheduler should then stop() soon (it is given a TimePassed,
  /// so a next_deadline() of now is seen). After `stop_grace` the framework is torn down without it.
  /// Without stop_requested it is torn down at once.
  std::function<void()> stop_requested;
  Duration stop_grace = std::chrono::seconds(5);
};

enum class FrameworkEnd : std::uint8_t {
  finished,  ///< the scheduler called stop(), or failed() was called: see there
  stopped,   ///< a stop was requested
};

/// Blocks until the framework has ended, and tells the allocator, so that none of its tasks stays; one that
/// is away then is waited for for 5 s. At the start, `unreachable` when no allocator answers, `slow_down`
/// when it answers that it is full; `timed_out`, `invalid` for a bad address, `io` for the event log.
Result<FrameworkEnd> run_framework(Context& context, const FrameworkHostConfig& config, Scheduler& scheduler,
                                   Stop& stop);

}  // namespace proffer::live
