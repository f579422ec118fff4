// The values between the tags of a fair-scheduler.xml. Values that Hadoop allows and proffer does not are
// noted, never rejected: the file is valid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::formats {

/// The first error in the file, and all that is imported differently; both with FILE:LINE.
class ImportNotes {
 public:
  explicit ImportNotes(std::string_view file) : file_(file) {}

  void fail(std::uint32_t line, std::string_view what);
  void note(std::uint32_t line, std::string_view what);
  /// Notes "WHAT is not supported, and left out".
  void unsupported(std::uint32_t line, std::string_view what);

  const std::optional<Error>& error() const { return error_; }
  /// Returns the notes, sorted by line.
  std::vector<std::string> take();

 private:
  std::string file_;
  std::optional<Error> error_;
  std::vector<std::pair<std::uint32_t, std::string>> notes_;  // notes with their lines
};

struct HadoopValue {
  std::string what;  ///< the name of the value for sentences: "pool a: minMaps"
  std::string text;
  std::uint32_t line = 0;
};

enum class HadoopPolicy : std::uint8_t { fair, fifo, drf };

/// Reads a whole number from 0.
std::uint32_t read_count(const HadoopValue& value, ImportNotes& notes);
/// Reads a limit of running jobs; none for 0, by which Hadoop lets nothing run.
std::optional<std::uint32_t> read_job_limit(const HadoopValue& value, ImportNotes& notes);
/// Reads seconds; 0, which means at once, becomes the shortest time there is.
Duration read_timeout(const HadoopValue& value, ImportNotes& notes);
/// Reads a weight in thousandths, as PoolSpec's; a weight beyond the bounds becomes the nearest.
std::int64_t read_weight(const HadoopValue& value, ImportNotes& notes);
/// Reads a threshold in thousandths; above 1 it counts as 1 as in Hadoop. None for 0, below which nobody is.
std::optional<std::int64_t> read_threshold(const HadoopValue& value, ImportNotes& notes);
/// Reads a word, or the name of YARN's class. None for any other class.
std::optional<HadoopPolicy> read_policy(const HadoopValue& value, ImportNotes& notes);
/// Reads "10240 mb, 8 vcores", or "memory-mb=10240, vcores=8": all of it or nothing.
Resources read_resources(const HadoopValue& value, ImportNotes& notes);

}  // namespace proffer::formats
