#include "cli/cell_run.hpp"

namespace proffer::cli {

Result<study::RunResult> cell_run(const study::Experiment& experiment, const study::Cell& cell,
                                  std::uint64_t seed, const CellRunOptions& options) {
  return (experiment.live ? live_run : simulated_run)(experiment, cell, seed, options);
}

}  // namespace proffer::cli
