// The options of `proffer trace`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace proffer::cli {

/// The part of a workload that `proffer trace cut` keeps.
struct TraceCutOptions {
  std::string from = "0s";
  std::string to;  ///< empty: to the end
  std::optional<std::uint64_t> jobs;
};

/// The workload that `proffer trace synth` makes.
struct TraceSynthOptions {
  std::string name = "job";
  std::string bins;                       ///< "1x38,10+2x14": 38 jobs of 1 map, 14 of 10 maps and 2 reduces
  std::string arrivals = "poisson(14s)";  ///< or fixed(14s), at-once
  std::uint32_t files = 0;                ///< files that jobs share; 0: each has its own
  double exponent = 1;                    ///< of Zipf's law, with files
};

struct TraceOptions {
  std::string verb;        // one of: stats, convert, cut, synth, fit
  std::string source;      // swim:FILE or another format; none for synth
  std::string topology;    // a file, beside a rumen trace
  std::string out;         // convert, cut, synth, fit: the file to write; empty: stdout
  std::string as = "csv";  // or swim
  bool json = false;       // stats

  // The way traces are read, and work is made.
  std::string block_size = "128MB";
  std::string reduce_size = "1GB";  // swim: bytes shuffled for each reduce
  std::string map_time = "lognormal(10s, 3s)";
  std::string reduce_time = "lognormal(10s, 3s)";
  std::uint64_t seed = 1;
  double scale_jobs = 1;
  double scale_arrival = 1;

  // stats; with 0 no load is printed
  std::uint64_t map_slots = 0;
  std::uint64_t reduce_slots = 0;

  TraceCutOptions cut;
  TraceSynthOptions synth;
};

}  // namespace proffer::cli
