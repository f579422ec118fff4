// The daemons of a live run: all of them on this machine, or the servers here and the agents on others.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/cluster/outpost_link.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/machines.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

/// Errors name the machine on which something failed.
class PlanCluster {
 public:
  /// Returns when all agents have registered. Agents on other machines write no event log: nothing is
  /// measured from one, so that all times of a run are of one clock. `version`: what all machines must have.
  static Result<std::unique_ptr<PlanCluster>> start(LocalClusterConfig config,
                                                    const std::optional<MachineList>& machines,
                                                    const std::string& version);
  ~PlanCluster();  ///< ends all that still runs, side by side

  const std::string& allocator_endpoint() const { return local_->allocator_endpoint(); }
  std::vector<std::string> event_logs() const { return local_->event_logs(); }
  /// Kills, starts again or signals a daemon, or stops all, as LocalCluster does, wherever they run.
  Result<> kill(std::string_view daemon);
  Result<> start_again(std::string_view daemon);
  Result<> signal(std::string_view daemon, int number);
  Result<> stop();
  /// `io` when a daemon, or a machine, has gone by itself. Machines are asked once a second.
  Result<> check();

  std::vector<OutpostLink>& outposts() { return outposts_; }
  /// Returns how many agents run at outposts()[outpost].
  std::size_t agents_on(std::size_t outpost) const;

 private:
  struct Place {
    std::size_t machine = 0;
    Config settings;
  };
  PlanCluster() = default;
  Result<> start_elsewhere(const LocalClusterConfig& config, const std::vector<LocalAgent>& agents,
                           const MachineList& machines, const std::vector<std::size_t>& dealt,
                           const std::string& version);
  const Place* place_of(std::string_view agent) const;

  std::unique_ptr<LocalCluster> local_;
  std::vector<OutpostLink> outposts_;
  std::map<std::string, Place, std::less<>> elsewhere_;  ///< by agent
  Time looked_{};
};

}  // namespace proffer::live
