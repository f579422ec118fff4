// The daemons: each builds its machine, hands it to a host, and serves until it is asked to stop. One loop,
// one thread; an allocator with a dashboard has some that only answer browsers. An agent has up to four more:
// one serves data and, once there is cause, one deletes what is old and two copy blocks from other agents.
#pragma once

#include <functional>
#include <string>

#include "proffer/formats/config.hpp"
#include "proffer/live/stop.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Called once when a daemon is ready, with one line that other programs can read:
///
///   allocator frameworks=ENDPOINT agents=ENDPOINT   the allocator listens; then, with a dashboard,
///                                                   http=HOST:PORT
///   catalog endpoint=ENDPOINT                       the catalog listens
///   agent name=NAME data=ENDPOINT                   the agent has registered with allocator and catalog
using Ready = std::function<void(const std::string& line)>;
/// Prints the line to standard output, at once.
void print_ready(const std::string& line);

/// The programs that an agent starts; empty: those of these names in the folder of the running program.
struct AgentPrograms {
  std::string launcher;  ///< proffer-launcher
  std::string worker;    ///< proffer-worker
};

/// Each function returns when `stop` was requested, within 2 s, or with the sentence that says why the daemon
/// cannot go on: `exists` (an address or folder in use), `invalid`, `io`, `corrupt`, `version`.
Result<> run_allocator(const AllocatorSettings& settings, Stop& stop, const Ready& ready = print_ready);
/// Errors as above; also `name_in_use` and any other error with which the allocator refuses the agent. Must
/// be called while the process has one thread.
Result<> run_agent(const AgentSettings& settings, Stop& stop, const Ready& ready = print_ready,
                   const AgentPrograms& programs = {});
Result<> run_catalog(const CatalogSettings& settings, Stop& stop, const Ready& ready = print_ready);

}  // namespace proffer::live
