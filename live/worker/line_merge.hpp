// Merges sorted runs of lines into one sorted stream.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "live/worker/file_appender.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

using LineSink = std::function<Result<>(std::string_view line)>;

/// Sorted lines, each with its line feed: bytes [offset, offset + length) of a file that outlives the run.
struct LineRun {
  const OpenFile* file = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// Hands all lines of all runs to `sink` in order (line_key.hpp), without their line feeds; ends with its
/// first error. With more runs than can be read at once it first merges some into files below `folder`.
Result<> merge_lines(std::vector<LineRun> runs, const std::string& folder, const LineSink& sink);

}  // namespace proffer::live
