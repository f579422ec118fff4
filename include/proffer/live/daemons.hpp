// The daemons: each builds its machine, hands it to a host, and serves until it is asked to stop. One loop,
// one thread (an agent has two more: one serves data, one deletes what is old).
#pragma once

#include <functional>
#include <string>

#include "proffer/formats/config.hpp"
#include "proffer/live/stop.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Told once when a daemon is ready, with one line that others can read:
///   allocator frameworks=ENDPOINT agents=ENDPOINT   it listens
///   catalog endpoint=ENDPOINT                       it listens
///   agent name=NAME data=ENDPOINT                   it has registered with the allocator, and with its
///   catalog
using Ready = std::function<void(const std::string& line)>;
/// Prints the line to standard output, at once.
void print_ready(const std::string& line);

/// The programs that an agent starts; empty: those of this name beside the one that runs.
struct AgentPrograms {
  std::string launcher;  ///< proffer-launcher
  std::string worker;    ///< proffer-worker
};

/// Runs the daemon until `stop` is requested, and returns within 2 s of that, or with the sentence that says
/// why it cannot go on: `exists` (an address or folder in use), `invalid`, `io`, `corrupt`, `version`.
Result<> run_allocator(const AllocatorSettings& settings, Stop& stop, const Ready& ready = print_ready);
/// Runs an agent. The same errors, `name_in_use`, and whatever else its allocator refuses it for. Must be
/// called while the process has one thread.
Result<> run_agent(const AgentSettings& settings, Stop& stop, const Ready& ready = print_ready,
                   const AgentPrograms& programs = {});
Result<> run_catalog(const CatalogSettings& settings, Stop& stop, const Ready& ready = print_ready);

}  // namespace proffer::live
