// An experiment as people write it, in one TOML file: a cluster, tenants with their policies, workloads,
// sweeps and checks. Both worlds run it, cell by cell and seed by seed.
//
//   include = "environments/x.toml": the cluster that it is on (environment.hpp), a path from this file's
//   folder schema = 1, name, title, seeds = 10 | { from, count }, horizon, warm_up, drain
//   mode = "sim" | "live", time_scale: of live runs, real seconds for a second of the experiment
//   machines = "x.toml": of live runs, where agents are (live/machines.hpp), a path from this file's folder
//   plugins = ["x.so"]: policies from shared objects, paths from the folder of this file (docs/POLICIES.md)
//   [cluster]
//     slots, max_computing (reduces that compute at a time on a node; 0, the default: all); and nodes (in
//     all), or nodes_per_rack, with racks (they are named r1n1, r1n2, ...); or
//     [[cluster.node]] name rack slots max_computing; or topology = "trace"
//     faults = [{ at, kill | slow = NODE, for, factor }]
//   [cost]
//     reading = "fluid" | "penalty", start_up, rack_factor, any_factor
//     disk_rate, nic_rate, remote_rate, rack_uplink_rate, write_rate = "60MB/s" | "unlimited"
//   [store]
//     replication, block_size, placement = "hdfs" | "random"
//   [replication], of blocks in demand, or that lost replicas
//     restore_after (such get others after so long; 0, the default: never);
//     policy = "fixed" (no more than the store's) | "dsbra" | "dare"; variant = "corrected" | "literal" |
//     "accessed", of dsbra; interval (60s), alpha (0.5), threshold (D, 3s), extra (storage beyond the store's
//     at most, 0.3), copy_timeout (2min)
//   [allocator]
//     offer_timeout, batch, heartbeat (off unless there are faults), latency, report_period, report_slots,
//     and of hod: private_agents, return_after; partition = "shared" | "static" (nodes of its own for each) |
//     "hod"
//     share_by = "kind" | "dominant"; preemption = "off" | "log" | "on", fair_share_timeout (not with
//     "dominant"), fair_share_threshold (0.5), preemption_deadline (5s)
//   [[pool]]
//     name, weight, min_share, order = "fair" | "fifo" | "capacity", max_running, max_running_per_user,
//     user_limit, min_share_timeout, racks, agents: as in a configuration file
//   [[user]]
//     name, max_running: of his frameworks
//   [[framework]]
//     name, pool, user, priority, mode = "fair" | "fifo" | "capacity" | "deadline" (its jobs), user_limit
//     count: it becomes NAME-0, NAME-1, ...
//     policy = "wait,node_wait=5s" | { name = "wait", node_wait = "5s" }
//     max_running_jobs; users = [{ name, max_running }]: whose jobs wait beyond that
//     pools = [{ name, weight, min_share, order, max_running, max_running_per_user, min_share_timeout,
//     user_limit }]: of its jobs, which name one of them as their pool (others are in none)
//     preemption = "off" | "log" | "on" among them, fair_share_timeout, fair_share_threshold (0.5)
//     share_by = "kind" | "dominant" among them
//     stock_hadoop_counts = "3s": a task counts as running for so long after its end
//     (JobSharing::commit_time) slow_start: the part of a job's maps before its reduces are launched (1)
//     max_copying: reduces of a job on a node while its maps run (0: no limit)
//     balance_long_tasks: spread tasks of long jobs; gather_for: longest gathering of slots for a rigid job
//     speculative = true: a second attempt at a map that runs for long; speculative_cap (0.1: a part of
//     the maps), speculative_slowness (1.5: times what is usual), speculative_after ("60s"): Speculation
//   [[workload]], synthetic
//     name, frameworks = [NAME or NAME-0] (all of them), start, pool, user, own_users, priority, rigid,
//     need
//     input = "own" | "shared" | "none", block_size (the store's), map_output (bytes out for a byte in)
//     input_nodes = [NODE]: all of the input lies there, and nowhere else
//     cached = "600MB": a file that every task of these jobs needs; a node reads it once, and keeps it
//     dataset = { blocks, hot, hot_reads }: instead of input, all jobs read blocks of one file; a part of it
//     (hot, 0.1) gets a part of the reads (hot_reads, 0.9)
//     map_time, reduce_time, setup, cleanup = "10s" | "lognormal(10s, 3s)" | ... (generate.hpp)
//     bins = [{ name, maps, reduces, jobs, map_time, reduce_time, deadline }], or graphs of jobs:
//     bins = [{ name, jobs, deadline, stages = [{ name, maps, after = [NAME], reduces, output, map_time,
//     reduce_time }] }]
//     (maps of a stage that comes after none; after: the stage before it; output: bytes for a byte read, 1)
//     arrivals = "at-once" | { process = "poisson", mean } | { process = "fixed", gap } |
//       { process = "times", times } | { process = "trace", trace } | { process = "serial", chains, gap }
//   [[workload]], from a trace
//     trace = "swim:FILE" | "rumen:FILE" | "sls:FILE" | "csv:FILE", topology, scale = { jobs, arrival },
//     reduce_size; of the others name, frameworks, pool, block_size, map_time, reduce_time
//   [sweep]
//     KEY = [values]: every combination is a cell. KEY is a dotted key ("allocator.latency",
//     "framework.hadoop.policy", "framework.policy" for all of them), one of horizon, warm_up and drain, or
//     a variable, which stands elsewhere as "${KEY}"
//   [[cell]]
//     name, set = { KEY = value }: cells by name, in every combination with [sweep]
//   [[check]]
//     expr (checks.hpp)
//   [[paper]]
//     id, label, cell, measure, value, note: a paper's figure, shown beside ours; fitted = true: one that the
//     environment's constants were chosen for
//   [report]
//     baseline (filter of a cell), measures, figures
//     slowdown = true: what each job takes alone on the empty cluster is simulated as well
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/plugins/load.hpp"
#include "proffer/result.hpp"
#include "proffer/study/cell.hpp"
#include "proffer/study/checks.hpp"
#include "proffer/study/environment.hpp"
#include "proffer/study/plan.hpp"

namespace proffer::formats {
struct TomlNode;
}

namespace proffer::study {

/// A figure published in a paper.
struct PublishedFigure {
  std::string id;      ///< "A8"; the experiment's name when there is none
  std::string label;   ///< a text for people; the measure's text when there is none
  std::string cell;    ///< filter of a single cell; empty only in an experiment of one cell
  Expression measure;  ///< seen from that cell; worked out for each seed, then averaged
  double value = 0;
  std::string note;     ///< the figure's place in the paper, or the reason for which ours differs
  bool fitted = false;  ///< constants of the environment were chosen so that this figure comes out
};

struct ReportSettings {
  std::string baseline;               ///< filter of the cells that others are compared with; empty: none
  std::vector<std::string> measures;  ///< the columns of the table; empty: chosen by the reporter
  std::vector<std::string> figures;   ///< empty: all figures for which there are data
  bool slowdown = false;              ///< also simulates each job of a simulation alone, to compare with
};

/// Seeds are added until figures are known well enough.
struct SeedRule {
  double precision = 0;  ///< half of the 95% interval, as a part of the mean; 0: no seeds are added
  std::string measure = "response_mean";
  std::uint32_t most = 100;  ///< seeds
};

struct Experiment {
  std::string name;   ///< [A-Za-z0-9._-]
  std::string title;  ///< a text for people; the name when there is none
  bool live = false;  ///< mode = "live"
  double time_scale = 1;
  std::string machines;  ///< the machines of live runs: a file as seen from the current folder; empty: none
  std::uint64_t first_seed = 1;
  std::uint32_t seed_count = 1;
  SeedRule until;
  std::vector<Check> checks;
  std::vector<PublishedFigure> paper;
  ReportSettings report;
  std::optional<Environment> environment;
  /// The files of traces as seen from the current folder, with topologies; each once, sorted by name.
  std::vector<std::string> traces;
  std::vector<Plugin> plugins;  ///< loaded plug-ins: the file's, then those given beside it; each once

  std::string file;                               ///< name of the file, for error messages
  std::string folder;                             ///< trace files are relative to it
  std::string text;                               ///< the text of the file, as it was read
  std::vector<std::string> overrides;             ///< "key=value", as given
  std::shared_ptr<const formats::TomlNode> tree;  ///< the tree of the text, with the overrides
};

/// Reads an experiment from a file. `overrides` are "key=value" with a key as in [sweep], and a TOML value or
/// a bare text; an override for a swept key leaves only that value. Checks every cell, and that its traces
/// can be opened. `not_found` and `io` with the name of a file; `invalid` with "FILE:LINE:COL: ", what is
/// wrong and what to write. `plugins` are loaded beside those of the file; errors of load_policies.
Result<Experiment> read_experiment(const std::string& path, const std::vector<std::string>& overrides = {},
                                   const std::vector<std::string>& plugins = {});
/// Reads an experiment from a text: `file` is for messages; traces and the file's plug-ins are relative to
/// `folder`.
Result<Experiment> parse_experiment(std::string text, std::string file, std::string folder,
                                    const std::vector<std::string>& overrides = {},
                                    const std::vector<std::string>& plugins = {});

/// Returns the same experiment with every framework under each of these policies in turn,
/// "wait,node_wait=5s", one cell each; they replace the policies of its cells and sweeps. Everything else
/// that those vary remains. Checks, papers' figures and the baseline are left out: they name cells that no
/// longer exist. Errors as read_experiment.
Result<Experiment> with_policies(const Experiment& experiment, const std::vector<std::string>& policies);

/// Returns the cells, at least one: the named cells, or the unnamed one, times all values swept; the last key
/// varies fastest.
std::vector<Cell> cells(const Experiment& experiment);

/// Returns the plan of one run. Reads traces: `not_found`, `io` and `invalid` as their readers say.
Result<Plan> make_plan(const Experiment& experiment, const Cell& cell, std::uint64_t seed);

}  // namespace proffer::study
