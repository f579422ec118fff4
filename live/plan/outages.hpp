// The faults of a plan, carried out on the processes of a cluster at their times.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "live/plan/plan_cluster.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

class Outages {
 public:
  /// The plan's faults count from `start`. Plan and cluster outlive this.
  Outages(const study::Plan& plan, PlanCluster& cluster, Time start);

  /// Returns when the next fault begins or ends; none: all are over.
  std::optional<Time> next() const;
  /// Begins and ends all faults that are due. `io` when a process cannot be ended, or started again.
  Result<> carry_out(Time now);
  /// Ends all faults that last, and begins no more.
  Result<> end();

 private:
  struct Edge {
    const study::PlanFault* fault = nullptr;
    bool over = false;
  };
  Result<> happen(Edge edge);
  Result<> cut(const std::string& agent, int by);
  Result<> start(const std::string& daemon);

  PlanCluster& cluster_;
  std::multimap<Time, Edge> due_;
  std::map<std::string, std::vector<std::string>> racks_;
  std::map<std::string, int> cuts_;  ///< faults that last and cut off an agent
  std::set<std::string> down_;
};

}  // namespace proffer::live
