// The options of `proffer sim storm`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace proffer::cli {

struct StormOptions {
  std::string seeds;                  // "A..B", both included
  std::optional<std::uint64_t> seed;  // one seed alone
  std::string faults = "all";         // what may be drawn
  std::uint32_t agents = 12;
  std::uint32_t frameworks = 5;
  std::string rage;    // a duration; empty: as the seed draws it
  unsigned jobs = 0;   // storms at a time; 0: one a processor
  bool twice = false;  // each seed twice: the digests must be equal
  bool timeline = false;
  bool shrink = false;
  bool stop_at_first = false;  // no seed after the first that fails
  bool quiet = false;
};

}  // namespace proffer::cli
