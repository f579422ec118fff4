// The work that is run in an experiment: files in the store, and jobs over them with the time every task
// computes. A workload is drawn once from a seed, so that every policy under study meets the same work.
// Readers of traces and the generator make workloads; both worlds run them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proffer/resources.hpp"
#include "proffer/sharing/pool.hpp"
#include "proffer/time.hpp"

namespace proffer::study {

/// A node that a trace names. Workloads without a topology of their own have none of these.
struct WorkloadNode {
  std::string name;
  std::string rack;
};

struct WorkloadBlock {
  std::uint64_t bytes = 0;  ///< above 0
  /// Names of the nodes that hold a replica; empty: placed by the experiment.
  std::vector<std::string> nodes;
  bool unknown_place = false;  ///< true: its map prefers no node, and its compute time includes reading
};

struct WorkloadFile {
  std::string path;  ///< the path in the store, unique
  std::vector<WorkloadBlock> blocks;
};

struct WorkloadTask {
  Duration compute{};              ///< time with its data at hand; without start-up
  std::uint64_t output_bytes = 0;  ///< output of a map for the reduces, or to write; of a reduce: to write
  std::uint64_t input_bytes = 0;   ///< of a map: the bytes of its block that it reads; 0: all of them
};

/// A job's place in a graph of jobs, of which all are the same framework's and submitted at once. It begins
/// when the stages that it comes after have ended, and its maps read the blocks that these have written.
struct WorkloadStage {
  std::string graph;  ///< the name of the graph
  std::vector<std::string>
      after;                      ///< names of jobs of the graph, all before this one; empty: it reads `file`
  std::uint64_t block_bytes = 0;  ///< size of the blocks that it writes into the store; 0: it writes none
};

struct WorkloadJob {
  std::string name;       ///< unique in the workload
  std::string framework;  ///< the tenant that runs it; empty: the experiment deals it out
  std::string pool;       ///< pool within the framework; empty: none
  std::string user;
  Priority priority = Priority::normal;
  Resources need = {};  ///< bulk resources of each of its maps; empty: a map slot
  bool rigid = false;   ///< its maps start all at once or not at all; see SyntheticJob
  std::string bin;      ///< bin for tables: jobs of one kind and size
  Duration submit{};    ///< time after the start of the run; with `after`: after the end of that job
  std::string after;    ///< the name of its predecessor in a series; empty: none
  Duration setup{};     ///< time from submission until its first task may start; holds no slot
  Duration cleanup{};   ///< time from its last task until it counts as finished; holds no slot
  Duration deadline{};  ///< time from its submission (a stage: its graph's) until it is due; 0: none
  std::optional<std::uint32_t> file;  ///< index into Workload::files; its maps read of one block each
  /// Index into Workload::files; nodes keep this file for its tasks, which all need it.
  std::optional<std::uint32_t> cached = {};
  std::vector<std::uint32_t> reads = {};  ///< the file's block for each map; empty: all, in order
  std::vector<WorkloadTask> maps;         ///< as many as `reads` has blocks, or the file
  std::vector<WorkloadTask> reduces;
  std::optional<WorkloadStage> stage = {};  ///< none: it is no part of a graph
};

struct Workload {
  std::vector<WorkloadNode> nodes;
  std::vector<WorkloadFile> files;
  /// Sorted by submit time, then name (of the graph, within which stages have their order); a successor
  /// stands behind its predecessor.
  std::vector<WorkloadJob> jobs;
};

}  // namespace proffer::study
