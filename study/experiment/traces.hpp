// Traces that an experiment names.
#pragma once

#include <set>
#include <string>

#include "proffer/study/experiment.hpp"
#include "study/experiment/scenario.hpp"

namespace proffer::study {

/// Checks that the files of traces can be opened; adds those that `opened` has not yet. `invalid` with the
/// place of one that cannot.
Result<> check_traces(const Scenario& scenario, const Experiment& experiment, std::set<std::string>& opened);

/// A path of the experiment's file, as seen from here.
std::string located(const std::string& path, const Experiment& experiment);
TraceSource located(TraceSource source, const Experiment& experiment);

/// The work of one [[workload]], before it is dealt out.
Result<Workload> workload_of(const WorkloadSection& section, const Experiment& experiment,
                             std::uint64_t seed);

/// `scenario` with nothing left open.
Result<Plan> plan_of(const Scenario& scenario, const Experiment& experiment, const Cell& cell,
                     std::uint64_t seed);

}  // namespace proffer::study
