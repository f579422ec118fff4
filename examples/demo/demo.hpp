// The demonstration: several isolated MapReduce frameworks on one real cluster, the same jobs under four ways
// of sharing it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/live/local_cluster.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::demo {

struct Options {
  std::string proffer;  ///< the command, beside this program
  std::string input = "/usr/include";
  std::uint64_t input_bytes = 64 << 20;
  std::string out = "demo-out";
  int agents = 16;
  int racks = 4;
  int map_slots = 2;
  int reduce_slots = 1;
  int frameworks = 4;
  int slices = 8;        ///< the input is cut into so many files; one job a slice and framework
  int maps_per_job = 8;  ///< blocks of a slice
  std::uint32_t replication = 3;
  std::uint32_t running_jobs = 2;        ///< limit for each framework
  std::uint64_t uplink_bytes_per_s = 0;  ///< uplink rate of each agent; 0: no limit
  double locality = 0.95;                ///< λ

  std::uint64_t slice_bytes() const { return input_bytes / static_cast<std::uint64_t>(slices); }
  std::uint64_t block_bytes() const { return slice_bytes() / static_cast<std::uint64_t>(maps_per_job); }
};

/// A program that a framework runs over its input.
struct Application {
  std::string name;
  std::string mapper;
  std::string reducer;
  int reduces = 2;
};
/// The applications of frameworks 0, 1, ...; they repeat.
const Application& application(int framework);

/// The input on local disk, as slice-0, slice-1, ... below `dir`.
struct Corpus {
  std::string dir;
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
};
std::string slice_name(int slice);
/// Concatenates the C and C++ headers below options.input, in order of path, until input_bytes are reached.
/// `not_found` when there is less.
Result<Corpus> collect(const Options& options, const std::string& dir);

/// Runs every (application, slice) without a cluster: parts below dir/<framework>-<slice>.
Result<> make_references(const Options& options, const Corpus& corpus, const std::string& dir);
std::string job_name(int framework, int slice);
/// Returns whether every part of every job below `outputs` equals that of `references`; says on stderr which
/// does not.
bool same_results(const Options& options, const std::string& outputs, const std::string& references);

/// One way to share the cluster.
struct Mode {
  std::string name;
  bool partitioned = false;           ///< each framework has a rack of its own
  std::optional<Duration> wait = {};  ///< W1 = W2; none: take what comes
};

/// The outcome of one run.
struct Outcome {
  Mode mode;
  double seconds = 0;                              ///< time from the first start to the last end
  double node_local = 0, rack_local = 0, any = 0;  ///< parts of the launched maps
  double job_seconds_mean = 0;                     ///< submission to end
  double local_map_seconds = 0;                    ///< mean run time of node-local maps; 0: there was none
  double other_map_seconds = 0;
  double map_seconds = 0;  ///< mean run time of all maps
  double maps_per_second = 0;
  double offers_per_task = 0;
  std::map<std::string, std::uint64_t> declines;
  double jain = 0;
  int jobs = 0;
  bool results_equal = false;
};

/// Runs all frameworks to their end; `io` or `timed_out` when one fails.
Result<Outcome> run_mode(const Options& options, const live::LocalCluster& cluster, const Mode& mode,
                         const std::string& dir);

/// Adds up what the frameworks left in `dir`; outcome.seconds must be known.
Result<> read_summaries(const Options& options, const std::string& dir, Outcome& outcome);

/// The formula's wait and its terms.
struct FormulaWait {
  double skips = 0;  ///< D
  double slots_per_second = 0;
  Duration wait{};
  Duration wait_by_task_time{};  ///< the same by D·T/S
};
FormulaWait formula_wait(const Options& options, const Outcome& undelayed);

std::string table_text(const std::vector<Outcome>& outcomes);
std::string summary_json(const Options& options, const Corpus& corpus, const FormulaWait& formula,
                         const std::vector<Outcome>& outcomes);

}  // namespace proffer::demo
