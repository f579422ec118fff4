// The command `proffer trace`, short of printing.
#pragma once

#include <string>
#include <vector>

#include "cli/trace_options.hpp"
#include "proffer/result.hpp"
#include "proffer/study/workload.hpp"

namespace proffer::cli {

struct TraceOutput {
  std::string text;
  std::vector<std::string> notes;  // sentences for people about what was left out or assumed
};

/// Carries out the command. `invalid` with a sentence that names the option or FILE:LINE; `not_found` and
/// `io` of files.
Result<TraceOutput> trace_output(const TraceOptions& options);

/// Makes a workload out of bins. `invalid` as above.
Result<study::Workload> synthesize(const TraceOptions& options);

/// Fits a workload to a trace: a section of an experiment, with the distances in its comments.
TraceOutput fit_output(const study::Workload& workload, const TraceOptions& options,
                       std::vector<std::string> notes);

std::string stats_text(const study::Workload& workload, const TraceOptions& options);
std::string stats_json(const study::Workload& workload, const TraceOptions& options);

}  // namespace proffer::cli
