// Runs a combiner over one partition of a map's output.
#pragma once

#include <string>

#include "live/worker/line_sorter.hpp"
#include "live/worker/report_writer.hpp"
#include "live/worker/reporter.hpp"
#include "live/worker/task_end.hpp"

namespace proffer::live {

struct CombineOptions {
  std::string command;
  Environment env;
  std::string folder;          ///< the folder for spills
  std::size_t sort_bytes = 0;  ///< memory for sorting what the combiner writes
};
struct SortedPartition {
  const LineSorter* lines = nullptr;
  std::uint32_t partition = 0;
};

/// Hands to `sink`, sorted again, what the combiner makes of the partition; of an empty one, nothing.
TaskEnd combine(const CombineOptions& options, SortedPartition input, Reporter& reporter,
                const LineSink& sink);

/// Returns a reporter that passes on what is for people to this process's standard error.
Reporter reporter_to(ReportWriter& reports);

}  // namespace proffer::live
