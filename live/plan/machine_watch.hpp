// The clocks and loads of the machines of a live run, before and after it, for whoever judges its figures.
#pragma once

#include <vector>

#include "live/os/load.hpp"
#include "live/plan/plan_cluster.hpp"
#include "proffer/result.hpp"
#include "proffer/study/results.hpp"

namespace proffer::live {

class MachineWatch {
 public:
  /// Reads clocks and loads of all machines, this one first. Errors of OutpostLink, and of read_load.
  static Result<MachineWatch> begin(PlanCluster& cluster);
  /// Reads them again, and returns a row for each machine. `agents_here`: agents that run on this one.
  Result<std::vector<study::MachineRow>> end(PlanCluster& cluster, std::size_t agents_here) const;

 private:
  struct Reading {
    ClockReading clock;
    Load load;
  };
  static Result<std::vector<Reading>> read(PlanCluster& cluster);
  std::vector<Reading> before_;
};

}  // namespace proffer::live
