// What is run in an experiment: files in the store, and jobs over them with the time every task computes.
// Drawn once from a seed, so that every policy under study meets the same work. Readers of traces and the
// generator make these; both worlds run them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/sharing/pool.hpp"
#include "proffer/time.hpp"

namespace proffer::study {

/// A node that a trace names. Workloads without a topology of their own have none of these.
struct WorkloadNode {
  std::string name;
  std::string rack;
};

struct WorkloadBlock {
  std::uint64_t bytes = 0;         ///< above 0
  std::vector<std::string> nodes;  ///< by name, who holds a replica; empty: placed by the experiment
  bool unknown_place = false;      ///< its map prefers no node and takes its time only: reading is in it
};

struct WorkloadFile {
  std::string path;  ///< in the store, unique
  std::vector<WorkloadBlock> blocks;
};

struct WorkloadTask {
  Duration compute{};              ///< with its data at hand; start-up is not in it
  std::uint64_t output_bytes = 0;  ///< of a map: what it gives to the reduces, or writes
};

struct WorkloadJob {
  std::string name;       ///< unique in the workload
  std::string framework;  ///< the tenant that runs it; empty: the experiment deals it out
  std::string pool;       ///< within the framework; empty: none
  std::string user;
  Priority priority = Priority::normal;
  std::string bin;     ///< for tables: jobs of one kind and size
  Duration submit{};   ///< after the start of the run; with `after`: after that job has finished
  std::string after;   ///< the name of its predecessor in a series; empty: none
  Duration setup{};    ///< from submission until its first task may start; holds no slot
  Duration cleanup{};  ///< from its last task until it counts as finished; holds no slot
  std::optional<std::uint32_t> file;  ///< index into Workload::files; its maps read one block each
  std::optional<std::uint32_t> cached =
      {};                                 ///< index likewise; nodes keep it for its tasks, which all need it
  std::vector<std::uint32_t> reads = {};  ///< of the file, the block of each map; empty: all, in order
  std::vector<WorkloadTask> maps;         ///< as many as the file has blocks
  std::vector<WorkloadTask> reduces;
};

struct Workload {
  std::vector<WorkloadNode> nodes;
  std::vector<WorkloadFile> files;
  std::vector<WorkloadJob> jobs;  ///< by submit time, then name; a successor stands behind its predecessor
};

}  // namespace proffer::study
