// The load that a plan's work makes, before anything runs.
#pragma once

#include <string>
#include <vector>

#include "proffer/study/plan.hpp"

namespace proffer::study {

struct OfferedLoad {
  Kind kind;
  std::string framework;  ///< empty: all of them
  double slots = 0;       ///< of the cluster
  double work = 0;        ///< slot-seconds
  /// Slots that the work takes in the mean while jobs come: work / (last submission − first). 0 where all
  /// come at once, or after one another.
  double wanted = 0;

  /// The part of the cluster that is wanted; above 1 queues grow for as long as jobs come.
  double load() const { return slots > 0 ? wanted / slots : 0; }
};

/// Returns the load of each kind that the cluster has: of all frameworks, then of each. A task counts for its
/// start-up, its computing or the reading of its block alone on a disk, whichever is longer, and its writing;
/// what waiting, remote reads and failures add is not known before a run.
std::vector<OfferedLoad> offered_load(const Plan& plan);

}  // namespace proffer::study
