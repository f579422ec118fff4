// Synthetic workloads: bins of like jobs that arrive by a process, with times from distributions. The same
// seed gives the same work on every compiler, and settings that do not concern the work (policies, the
// cluster) cannot change it: every job draws from a stream of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/random.hpp"
#include "proffer/result.hpp"
#include "proffer/study/workload.hpp"
#include "proffer/time.hpp"

namespace proffer::study {

/// A distribution of times. Values below zero are drawn again.
struct Distribution {
  enum class Shape : std::uint8_t { constant, uniform, normal, exponential, lognormal, weibull, quantiles };
  Shape shape = Shape::constant;
  /// constant: the value; uniform: the least; else the mean (of the times, not of their logarithms).
  Duration first{};
  Duration second{};           ///< uniform: the most; normal, lognormal: the standard deviation
  double shape_parameter = 1;  ///< weibull: its k; below 1 what has lasted long lasts longer still
  /// Only quantiles: two values or more, ascending, at equal distances from the least to the most; between
  /// two neighbours all values are equally likely.
  std::vector<Duration> quantiles = {};
  bool operator==(const Distribution&) const = default;
};

/// Reads "constant(10s)" or "10s", "uniform(5s, 15s)", "normal(10s, 3s)", "exponential(5s)", "lognormal(10s,
/// 3s)", "weibull(1h, 0.7)", "quantiles(1s, 4s, 30s)". `invalid` with a sentence that quotes the text and
/// says what to write.
Result<Distribution> parse_distribution(std::string_view text);
/// The text that parse_distribution reads as this distribution.
std::string to_string(const Distribution& distribution);
/// Draws a time, to the microsecond, 0 or above.
Duration draw(const Distribution& distribution, Random& random);

/// A stage of a job graph: a job that reads what former stages have written, or an input of its own.
struct Stage {
  std::string name;  ///< unique in its bin
  std::vector<std::uint32_t>
      after;               ///< numbers of stages before it, whose output it reads; empty: it has `maps`
  std::uint32_t maps = 0;  ///< 0: one for each block that it reads
  std::uint32_t reduces = 0;
  double output = 1;  ///< bytes that it writes for a byte that it reads, if another stage reads them
  std::optional<Distribution> map_time;  ///< replaces the workload's map_time
  std::optional<Distribution> reduce_time;
};

/// A group of like jobs.
struct Bin {
  std::string name;  ///< empty: "50", or "100_10" with reduces
  std::uint32_t maps = 1;
  std::uint32_t reduces = 0;
  std::uint32_t jobs = 1;
  std::optional<Distribution> map_time;  ///< replaces the workload's map_time
  std::optional<Distribution> reduce_time;
  std::vector<Stage> stages =
      {};  ///< not empty: each of its jobs is a graph of these; then `maps` is not used
  std::optional<Distribution> deadline = {};  ///< the time after its submission at which each job is due
};

struct Arrivals {
  enum class Process : std::uint8_t {
    at_once,
    poisson,  ///< exponential gaps of mean `gap`
    fixed,    ///< one every `gap`
    times,    ///< one at each listed time; further jobs start over, after the last time and a mean gap
    serial,   ///< `chains` jobs at a time: each starts `gap` after its predecessor has finished
    renewal,  ///< gaps drawn from `gaps`
  };
  Process process = Process::at_once;
  Duration gap{};
  std::uint32_t chains = 1;
  std::vector<Duration> times;  ///< ascending
  Distribution gaps = {};
};

/// A file that all jobs of a workload read parts of, some blocks far more than others.
struct Dataset {
  std::uint32_t blocks = 1;
  std::int64_t hot_milli = 100;  ///< the part of the blocks that is hot, the first ones; at least one is
  std::int64_t hot_reads_milli = 900;  ///< the part of the reads that goes to hot blocks
};

/// Files of which some are read by far more jobs than others (Zipf's law): the r-th is chosen with a
/// probability that is proportional to 1 / r^exponent. A job of m maps reads its first m blocks; a file is as
/// large as its largest reader.
struct Popularity {
  std::uint32_t files = 1;
  double exponent = 1;  ///< 0: all alike
};

struct GenerateSpec {
  enum class Input : std::uint8_t {
    own,     ///< each job has a file
    shared,  ///< jobs of as many maps read the same file
    none,    ///< maps read nothing, and so prefer no place
  };
  std::string name = "job";  ///< jobs are NAME-001, ...; also tells the streams of two workloads apart
  std::vector<Bin> bins;     ///< jobs of all bins arrive in an order shuffled by the seed
  Duration start{};          ///< time of the first arrival
  Arrivals arrivals;
  Distribution map_time{Distribution::Shape::lognormal, std::chrono::seconds(10), std::chrono::seconds(3)};
  Distribution reduce_time{Distribution::Shape::lognormal, std::chrono::seconds(10), std::chrono::seconds(3)};
  Distribution setup;
  Distribution cleanup;
  Input input = Input::own;
  /// Replaces `input`. Each map of a job reads a different block for as long as there are some, hot ones with
  /// the probability of hot_reads.
  std::optional<Dataset> dataset = {};
  std::optional<Popularity> popularity = {};  ///< replaces `input`; not with `dataset`
  /// The nodes on which all blocks lie, and nowhere else; empty: placed by the store.
  std::vector<std::string> input_nodes;
  std::uint64_t block_bytes = 128'000'000;
  /// Size of a file that all tasks need and nodes keep, one for all jobs; 0: none.
  std::uint64_t cached_bytes = 0;
  double map_output = 0;  ///< bytes of output for a byte of input
  std::string pool;
  std::string user;
  bool own_users = false;  ///< each job is of a user of its own
  bool rigid = false;      ///< maps of a job start all at once or not at all; see SyntheticJob
  Priority priority = Priority::normal;
};

/// Returns jobs sorted by submit time, then name, without frameworks and nodes.
Workload generate(const GenerateSpec& spec, std::uint64_t seed);

/// Merges all workloads into one, sorted by submit time, then name. Names and paths must be unique over all
/// of them.
Workload merge(std::vector<Workload> workloads);

}  // namespace proffer::study
