#include "cli/cell_run.hpp"

#include <fmt/format.h>

namespace proffer::cli {

Result<study::RunResult> cell_run(const study::Experiment& experiment, const study::Cell& cell,
                                  std::uint64_t seed, const CellRunOptions& options) {
  return (experiment.live ? live_run : simulated_run)(experiment, cell, seed, options);
}

Result<> check_no_job_failed(const std::vector<std::string>& failed) {
  if (failed.empty()) return {};
  return Error{ErrorCode::invalid,
               fmt::format("{} jobs failed; the first: {}", failed.size(), failed.front())};
}

}  // namespace proffer::cli
