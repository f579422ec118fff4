// The event log: one JSON object a line, {"t_us":…,"seq":…,"source":…,"event":…, fields…}. Both worlds write
// it with this one writer; everything else is read from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proffer/ids.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"
#include "proffer/trace.hpp"

namespace proffer {

struct TraceLine {
  Time time{};
  std::uint64_t seq = 0;  ///< +1 per line of a source
  std::string source;     ///< allocator, catalog, agent NAME, framework NAME
  Trace trace;
  /// Of the program that wrote it, drawn at its start: two may have one name. 0: not told.
  std::uint32_t life = 0;
};

/// One line without its newline. Fields in a fixed order, so that equal traces give equal bytes.
std::string format_trace(const TraceLine& line);
/// `invalid` with what is wrong; unknown extra fields are ignored.
Result<TraceLine> parse_trace(std::string_view line);

}  // namespace proffer
