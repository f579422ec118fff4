// The options of the command line, one struct a command. They are filled by parse.cpp, which alone knows how
// they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/agent_options.hpp"
#include "cli/calibrate_options.hpp"
#include "cli/chaos_options.hpp"
#include "cli/completion_options.hpp"
#include "cli/fit_options.hpp"
#include "cli/list_options.hpp"
#include "cli/plan_options.hpp"
#include "cli/policy_options.hpp"
#include "cli/pool_options.hpp"
#include "cli/report_options.hpp"
#include "cli/storm_options.hpp"
#include "cli/study_options.hpp"
#include "cli/trace_options.hpp"
#include "cli/why_options.hpp"

namespace proffer::cli {

/// Exit codes of every command.
enum ExitCode : int {
  kOk = 0,
  kFailed = 1,
  kUsage = 2,
  kNoAllocator = 3,
  kTimedOut = 4,
  kInvariant = 5,
  kUnsafe = 78,  // EX_CONFIG of sysexits.h
};

enum class Format : std::uint8_t { table, json };

/// The address of the cluster, as far as flags and the environment name it: see find_cluster(). The catalog
/// is found through the allocator unless it is named.
struct Where {
  std::string allocator;
  std::string catalog;
};

/// A daemon: a configuration file, and settings that override it, as TOML "section.key=value" pairs.
struct DaemonOptions {
  std::string role;  // one of: allocator, agent, catalog
  std::string config;
  std::vector<std::pair<std::string, std::string>> overrides;  // key, text
  bool print_config = false;
  bool end_with_parent = false;
};

inline constexpr int kUsualPort = 5150;  // the port at which commands look for an allocator

struct DevOptions {
  int nodes = 4;
  int racks = 2;
  std::string slots = "map=2,reduce=1";
  std::string uplink;
  std::string dir;
  int port = kUsualPort;
  std::string http = "127.0.0.1:0";  // of the dashboard; "off": there is none
  std::string pools;                 // a TOML file of [allocator], [[pool]] and [[user]]
  std::uint32_t max_computing = 0;   // limit of each agent
  std::string replication;           // a policy of the catalog; empty: fixed
  std::string replication_variant;   // variant of dsbra
  std::string replication_interval;  // a duration
  std::vector<std::string> command;  // the command to run against the cluster, which then ends
};

struct FrameworkOptions {
  Where where;
  std::string name;
  std::string pool;
  std::string priority = "normal";   // one of kPriorities
  std::vector<std::string> plugins;  // shared objects with policies
  std::string event_log;
  bool end_with_parent = false;
  std::string failover_timeout;    // a duration; empty: the settings file's
  std::string state_dir;           // where it keeps what --resume needs; empty: a folder of its own
  bool resume = false;             // go on with what a former process has left
  std::string resume_dir;          // of which; empty: the only one that there is
  bool detach = false;             // the cluster runs it, and this command ends
  std::vector<std::string> words;  // the command line as typed, without the program
};

struct RunOptions {
  FrameworkOptions framework;
  std::uint32_t tasks = 1;
  std::string kind = "map";
  std::string need;                 // bulk resources of a task; empty: a slot of `kind`
  std::vector<std::string> prefer;  // agents or racks
  std::uint32_t attempts = 1;
  bool rigid = false;
  std::string kill_after;  // a duration, or empty
  std::string policy = "greedy";
  std::vector<std::string> command;
};

/// One job of `proffer mr`, from flags.
struct MrJobOptions {
  std::string name;
  std::vector<std::string> inputs;
  std::string output;
  std::string mapper;
  std::string reducer;
  std::string combiner;
  std::optional<std::uint32_t> reduces;
  std::vector<std::string> files;
  std::vector<std::string> cached;  ///< PATH[#NAME]
  std::vector<std::string> env;     ///< NAME=VALUE
};

/// The sharing of slots among the jobs of `proffer mr`.
struct MrSharingOptions {
  std::string order = "fair";      ///< of kPoolOrders
  std::string share_by = "kind";   ///< of kSharesBy
  std::string preemption = "off";  ///< of kPreemptionModes
  std::string fair_share_timeout;  ///< a duration; empty: none
  double fair_share_threshold = 0.5;
  std::uint32_t max_running_jobs = 0;
};

/// The backups of `proffer mr`, see Speculation.
struct MrSpeculationOptions {
  bool on = false;
  double cap = 0.1;
  double slowness = 1.5;
  std::string after = "60s";
};

struct MrOptions {
  FrameworkOptions framework;
  std::string runner = "cluster";  ///< or local
  std::string job_list;            ///< a TOML file with [[job]] tables, instead of `job`
  MrJobOptions job;
  MrSharingOptions sharing;
  std::optional<std::uint32_t> replication;
  std::string policy = "auto";
  double slow_start = 1;
  std::uint32_t max_copying = 0;
  bool balance_long_tasks = false;
  MrSpeculationOptions speculation;
  std::string summary;  ///< write counters and times there, as JSON
  Format format = Format::table;
  bool quiet = false;
};

struct StoreOptions {
  Where where;
  std::string verb;  // put, ls, cat, get, rm
  std::vector<std::string> paths;
  std::uint32_t replication = 3;
  std::string block_size = "64MiB";
  Format format = Format::table;
};

struct UiOptions {
  Where where;
  bool open = false;  ///< have a browser opened
};

/// A command line that leaves nothing to do: help or version was printed, or the line was wrong.
struct Done {
  int exit_code = kOk;
};

using Command =
    std::variant<Done, CompletionOptions, CompleteOptions, ManOptions, DaemonOptions, DevOptions, RunOptions,
                 MrOptions, StoreOptions, ListOptions, UiOptions, SimOptions, StormOptions, ExperimentOptions,
                 TenantOptions, OutpostOptions, ReportOptions, TraceOptions, PolicyOptions, PoolOptions,
                 PlanOptions, CalibrateOptions, FitOptions, ChaosOptions, WhyOptions, AgentOptions>;

/// Reads the words of a command line, without the program; prints help, version or a sentence about a
/// mistake.
Command parse(const std::vector<std::string>& typed);

}  // namespace proffer::cli
