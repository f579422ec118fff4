// The daemons: each builds its machine, hands it to a host, and serves until it is asked to stop. One loop,
// one thread (an agent has a second one, which serves data).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "proffer/agent/agent.hpp"
#include "proffer/allocator/allocator.hpp"
#include "proffer/live/stop.hpp"
#include "proffer/result.hpp"
#include "proffer/storage/catalog.hpp"

namespace proffer::live {

/// Told once when a daemon is ready, with one line that others can read:
///   allocator frameworks=ENDPOINT agents=ENDPOINT   it listens
///   catalog endpoint=ENDPOINT                       it listens
///   agent name=NAME data=ENDPOINT                   it has registered with the allocator, and with its
///   catalog
using Ready = std::function<void(const std::string& line)>;
/// To standard output, at once.
void print_ready(const std::string& line);

struct AllocatorDaemonConfig {
  AllocatorConfig allocator;
  std::string frameworks_endpoint = "tcp://127.0.0.1:5150";
  std::string agents_endpoint = "tcp://127.0.0.1:5151";
  std::string state_dir;  ///< keeps cluster id and epoch; empty: a new cluster at each start
  std::string event_log;  ///< a file; empty: none
};

struct AgentDaemonConfig {
  AgentConfig agent;      ///< `data_endpoint` and `run` are filled in
  std::string allocator;  ///< its endpoint for agents
  std::string data_endpoint = "tcp://127.0.0.1:0";
  std::string advertise;  ///< the endpoint others should use for it; empty: the one it listens on
  std::string work_dir;   ///< blocks/, outputs/, sandboxes/ and what must outlive a start
  std::optional<std::uint64_t> uplink_bytes_per_s;
  std::string event_log;
  std::string launcher_path;  ///< proffer-launcher; empty: beside this program
  std::string worker_path;    ///< proffer-worker; empty: beside this program
};

struct CatalogDaemonConfig {
  CatalogConfig catalog;  ///< `token` is filled in
  std::string endpoint = "tcp://127.0.0.1:5153";
  std::string state_dir;  ///< names, token, cluster id and epoch
  std::string event_log;
};

/// Each returns when `stop` was requested, within 2 s, or with the sentence that says why it cannot go on:
/// `exists` (an address or folder in use), `invalid`, `io`, `corrupt`, `version`.
Result<> run_allocator(const AllocatorDaemonConfig& config, Stop& stop, const Ready& ready = print_ready);
/// Also `name_in_use` and whatever else its allocator refuses it for. To be called while the process has one
/// thread.
Result<> run_agent(const AgentDaemonConfig& config, Stop& stop, const Ready& ready = print_ready);
Result<> run_catalog(const CatalogDaemonConfig& config, Stop& stop, const Ready& ready = print_ready);

}  // namespace proffer::live
