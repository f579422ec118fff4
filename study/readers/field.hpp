// Numbers in the text of a trace, and sentences about what is wrong with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::study {

inline constexpr std::uint64_t kMostMaps = 1'000'000;                ///< limit for a job
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 60;  ///< limit for a file or an output

/// A place in a trace; line from 1.
struct TracePlace {
  std::string_view file;
  std::uint32_t line = 0;
};
Error error_at(TracePlace place, std::string_view what);

/// A whole number from 0 to `most`. `name` is what it is, for the sentence.
Result<std::uint64_t> read_count(TracePlace place, std::string_view name, std::string_view text,
                                 std::uint64_t most);
/// Seconds, with a fraction or without, 0 or above; rounded to the microsecond.
Result<Duration> read_seconds(TracePlace place, std::string_view name, std::string_view text);

}  // namespace proffer::study
