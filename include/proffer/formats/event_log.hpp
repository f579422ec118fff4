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
  std::uint64_t seq = 0;  ///< number of the line, from its source: rises by 1
  std::string source;     ///< one of: allocator, catalog, agent NAME, framework NAME
  Trace trace;
  /// A number that the writing program draws at its start, since two programs may have one name. 0: unknown.
  std::uint32_t life = 0;
};

/// The name of a line: agent_registered, offer_made, ... Digests are made of names as well.
std::string_view trace_name(const Trace& trace);
/// Formats one line, without its newline. Fields come in a fixed order, so that equal traces give equal
/// bytes.
std::string format_trace(const TraceLine& line);
/// Reads one line. `invalid` with what is wrong; unknown extra fields are ignored.
Result<TraceLine> parse_trace(std::string_view line);

}  // namespace proffer
