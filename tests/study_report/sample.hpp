// Results that look like those of an experiment: several tenants on a small cluster, drawn from a seed.
#pragma once

#include "proffer/study/report.hpp"

namespace proffer::study {

struct SampleShape {
  int racks = 4;
  int nodes = 20;
  int slots = 4;
  int frameworks = 4;
  int jobs = 48;
  std::vector<std::uint32_t> sizes{1, 2, 10, 50, 200};  ///< maps of a job, in turn
  double gap = 6;                                       ///< seconds between jobs
  bool offers = true;
};

/// `wait` seconds for a node-local slot; below 0: tenants own nodes, and data is where it happens to be.
RunResult sample_run(const SampleShape& shape, const std::string& cell, double wait, std::uint64_t seed);

/// Cells static, 0s, 1s and 5s, with `seeds` runs each; static is the baseline.
ReportInput sample_input(const SampleShape& shape, std::uint64_t seeds);

/// Returns estimates of the runs' measures, as the experiment's code makes them for a folder of results.
ExperimentSummary summary_for(const std::vector<ReportCell>& cells);

}  // namespace proffer::study
