// The TOML files of daemons and clients. One file may hold the sections of several programs; each program
// reads only its own.
//
//   [allocator]   frameworks_endpoint agents_endpoint catalog_endpoint state_dir event_log default_pool
//                 offer_timeout batch report_period report_slots heartbeat suspect_after disconnected_after
//                 unreachable_after recovery_hold reregister_window kill_grace share_by preemption
//                 fair_share_timeout fair_share_threshold preemption_deadline insecure drivers
//   [[pool]]      name weight min_share order max_running max_running_per_user user_limit min_share_timeout
//                 racks agents private_agents return_after
//   [[user]]      name max_running
//   [agent]       name rack slots max_computing allocator data_endpoint advertise work_dir uplink synthetic
//                 event_log insecure
//   [catalog]     endpoint state_dir agent_silent_after event_log replication replication_variant
//                 replication_interval replication_alpha replication_threshold replication_extra
//                 replication_copy_timeout replication_restore_after (0: never)
//                 insecure
//   [client]      allocator catalog failover_timeout (0: none)
//
// Durations, sizes and rates are strings as in units.hpp. A key that is not there keeps its default.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/agent/agent.hpp"
#include "proffer/allocator/allocator.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/result.hpp"

namespace proffer {

struct AllocatorSettings {
  AllocatorConfig allocator;
  std::string frameworks_endpoint = "tcp://127.0.0.1:5150";
  std::string agents_endpoint = "tcp://127.0.0.1:5151";
  std::string state_dir;  ///< empty: a new cluster at each start
  std::string event_log;  ///< a file; empty: none
  /// The file that these settings were read from, to be read again; empty: none. Not a key.
  std::string file;
  bool insecure = false;  ///< true: may listen beyond this machine, though whoever connects may do anything
  bool drivers = true;    ///< runs the framework of the drivers of detached jobs
  std::string http;       ///< HOST:PORT of the dashboard, with port 0 for a free one; empty: there is none
  std::string version;    ///< of the program, for people. Not a key.
};

struct AgentSettings {
  /// `data_endpoint` and `run` stay for the world to fill in; an empty name: the name of the host.
  AgentConfig agent;
  std::string allocator = "tcp://127.0.0.1:5151";
  std::string data_endpoint = "tcp://127.0.0.1:0";
  /// The address that others should use instead of the one it listens on; empty: that one.
  std::string advertise;
  std::string work_dir;
  std::optional<std::uint64_t> uplink;      ///< bytes per second; none: without limit
  std::uint64_t cache_bytes = 10ull << 30;  ///< size of the cached files that the agent keeps for tasks
  /// Synthetic tasks let their time pass instead of using the processor for it: for agents that share one
  /// machine, and stand for machines of their own.
  bool synthetic_waits = false;
  bool kill_tasks_at_stop = false;  ///< an orderly stop ends all tasks; else they run on until the next start
  std::string event_log;
  bool insecure = false;  ///< the same as AllocatorSettings::insecure
};

struct CatalogSettings {
  CatalogSettings() { catalog.replication.restore_after = kRestoreAfter; }
  CatalogConfig catalog;  ///< `token` stays for the world to fill in
  std::string endpoint = "tcp://127.0.0.1:5153";
  std::string state_dir;
  std::string event_log;
  bool insecure = false;  ///< the same as AllocatorSettings::insecure
};

struct ClientSettings {
  std::string allocator = "tcp://127.0.0.1:5150";
  std::string catalog;  ///< empty: the allocator tells the endpoint
  /// Failover timeout of frameworks; none: the default of FrameworkConfig.
  std::optional<Duration> failover_timeout;
};

struct Config {
  Config();  ///< the defaults
  AllocatorSettings allocator;
  AgentSettings agent;
  CatalogSettings catalog;
  ClientSettings client;
};

/// Reads a whole file, or nothing of it. `invalid` with "FILE:LINE:COL: ", what is wrong and what to write:
/// no TOML, an unknown key (with the nearest known one), a wrong type, unit or range, two pools of one name,
/// and whatever check_config finds. `sections`: the sections that have an effect where the file is read; any
/// other section is refused, so that nobody relies on settings which are ignored. Empty: all sections.
Result<Config> parse_config(std::string_view text, std::string_view file,
                            std::span<const std::string_view> sections = {});
/// Reads a file by its name. Errors as parse_config; also `not_found` and `io`.
Result<Config> read_config(const std::string& path, std::span<const std::string_view> sections = {});

/// Sets one setting of a section ("allocator", "agent", "catalog", "client") from a flag or the environment,
/// written as in the file but without quotes; slots as "map=2,reduce=1". `invalid` with a sentence that
/// begins with the key, and then `config` is unchanged.
Result<> set_config(Config& config, std::string_view section, std::string_view key, std::string_view text);

/// Checks what no single setting can be blamed for: timeouts in the wrong order, a default pool that does not
/// exist, settings of pools that would have no effect (pool_settings.hpp), preemption that does not go with
/// share_by. parse_config calls it; after set_config the caller must.
Result<> check_config(const Config& config);

/// Sets one setting of a pool from a command line: a key of [[pool]] other than its name, written as in the
/// file but without quotes and brackets (racks as "r1,r2", min_share_timeout also as "0": never), or
/// min_KIND, its min share of one kind. `invalid` with a sentence that begins with the key, and then `pool`
/// is unchanged.
Result<> set_pool(AllocatorPool& pool, std::string_view key, std::string_view text);

/// Returns the keys of [allocator] that differ and want a restart: reading the file again is not enough.
std::vector<std::string> changed_keys(const AllocatorSettings& before, const AllocatorSettings& after);

/// The pools as [[pool]] tables.
std::string print_pools(const std::vector<AllocatorPool>& pools);

/// A section as TOML that parse_config reads back ("allocator": with its pools and users; "": all sections).
/// Unset settings are left out.
std::string print_config(const Config& config, std::string_view section = "");

}  // namespace proffer
