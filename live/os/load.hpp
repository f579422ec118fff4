// The load of this machine: how much its processors have to do.
#pragma once

#include <cstdint>
#include <string>

#include "proffer/result.hpp"

namespace proffer::live {

struct Load {
  double average = 0;            ///< processes that ran or wanted to, in the mean of the last minute
  std::uint32_t processors = 0;  ///< those that are there for it
  // Sums over all processors since the machine was started, in clock ticks.
  std::uint64_t busy = 0;
  std::uint64_t stolen = 0;  ///< wanted, but given to other guests of the same host
  std::uint64_t all = 0;     ///< idle ones included
};

/// Reads /proc/loadavg and /proc/stat. `io` when they cannot be read.
Result<Load> read_load();

/// As a line of words, and back; `corrupt`.
std::string to_line(const Load& load);
Result<Load> load_of(const std::string& line);

}  // namespace proffer::live
