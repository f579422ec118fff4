// The host of one framework in a client process: `proffer mr`, `proffer run`, and whatever else has a
// Scheduler.
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
  /// The folder where the framework keeps what another process needs to go on with it; made where missing,
  /// and locked while this process runs. Empty: nothing is kept.
  std::string state_dir;
  /// The time without a session after which the host gives up at the start; none: never. A session that is
  /// lost later is waited for without limit. Time in which this process itself did not run does not count.
  std::optional<Duration> unreachable_after = std::chrono::seconds(10);
  /// The times at which people are told that a lost session is waited for: the first time, and the period
  /// from then on.
  Duration say_waiting_after = std::chrono::seconds(5);
  Duration say_waiting_every = std::chrono::minutes(1);
  std::optional<Duration> timeout;  ///< time limit for the whole; none: no limit
  Duration progress_every = std::chrono::seconds(1);
  std::function<void()> progress;  ///< called every `progress_every`, and once at the end
  /// A descriptor with input for whoever feeds the scheduler: when it is readable, `read_input` is called,
  /// and then the scheduler is given a TimePassed. -1: none.
  int input = -1;
  std::function<void()> read_input;
  /// Called once when a stop is requested; the scheduler should then stop() soon (it is given a TimePassed,
  /// so a next_deadline() of now is seen). After `stop_grace` the framework is torn down anyway. Where
  /// stop_requested is empty, the framework is torn down at once.
  std::function<void()> stop_requested;
  Duration stop_grace = std::chrono::seconds(5);
  /// A stop leaves all that it runs to a later process of it: nothing is torn down.
  bool leaves_at_stop = false;
};

enum class FrameworkEnd : std::uint8_t {
  finished,  ///< the scheduler called stop(), or failed() was called, which tells the reason
  stopped,   ///< a stop was requested
};

/// Blocks until the framework has ended, and tells the allocator, so that none of its tasks remains; an
/// allocator that is away at the end is waited for for 5 s. Errors at the start: `unreachable` when no
/// allocator answers, `slow_down` when it answers that it is full. Other errors: `timed_out`, `invalid` for a
/// bad address, `io` for the event log. Of the state_dir: `exists` when another process is at work on it, and
/// `io`, `corrupt`, `version` or `no_space`.
Result<FrameworkEnd> run_framework(Context& context, const FrameworkHostConfig& config, Scheduler& scheduler,
                                   Stop& stop);

}  // namespace proffer::live
