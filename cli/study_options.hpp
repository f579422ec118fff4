// The options of `proffer sim` and `proffer experiment`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace proffer::cli {

/// The world that is chosen on the command line: live runs an experiment by real processes, whatever its file
/// says.
struct WorldOptions {
  bool live = false;
  std::optional<double> time_scale;
  std::string machines;  // the file of machines; empty: the experiment's
};

struct SimOptions {
  WorldOptions world;
  std::string file;
  std::uint64_t seed = 1;
  std::string cell;                    // a filter; needed when the experiment has several
  std::vector<std::string> overrides;  // key=value
  std::vector<std::string> plugins;    // shared objects with policies
  std::string events;                  // the file for the event log
  std::string tables;                  // the folder for jobs.csv, summary.json, ...
  bool codec = false;
  std::uint64_t check_every = 0;
  bool json = false;
  bool quiet = false;
};

struct ExperimentOptions {
  WorldOptions world;
  std::string verb;                    // one of: run, resume, list, verify
  std::string target;                  // a file; for verify a results folder
  std::vector<std::string> folders;    // results folders, for collect
  std::string dir;                     // results folder; empty: results/NAME; for collect: the file to write
  unsigned jobs = 0;                   // runs at a time; 0: one a processor
  std::optional<std::uint32_t> seeds;  // number of seeds, instead of the file's
  std::vector<std::string> overrides;
  std::vector<std::string> plugins;  // shared objects with policies
  bool events = false;               // write events.jsonl of each run
  bool offers = false;               // write offers.csv
  bool quiet = false;
};

/// The process of a live run on another machine, which the run itself starts there.
struct OutpostOptions {};

/// The options with which a live run starts the process of a tenant.
struct TenantOptions {
  std::string file;
  std::string cell;  // its folder
  std::uint64_t seed = 1;
  std::vector<std::string> overrides;
  std::vector<std::string> plugins;
  std::string framework;
  std::string allocator;
  std::string event_log;
};

}  // namespace proffer::cli
