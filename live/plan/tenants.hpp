// The processes of a plan's frameworks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "live/plan/plan_cluster.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/run_plan.hpp"

namespace proffer::live {

/// The end of a job, as its tenant reported it.
struct JobEnd {
  std::uint32_t job = 0;
  std::string why;  ///< the reason of a failure; empty: the job did not fail
};

/// The processes of a plan's frameworks. They end with this object, at the latest.
class Tenants {
 public:
  /// Returns when all of them are ready. Logs are below options.dir.
  static Result<Tenants> start(const study::Plan& plan, const PlanCluster& cluster,
                               const LiveOptions& options);

  /// Submits a job. `io` when its tenant has ended.
  Result<> submit(std::uint32_t job);
  /// Waits until some tenant may have written something, `stop` is requested or so long has passed.
  void wait(const Stop& stop, Duration at_most) const;
  /// Returns ends of jobs since the last call. `io` when a tenant has ended, with the last line of its log.
  Result<std::vector<JobEnd>> take_ends();
  /// Ends them in good order; returns when they have ended. `io` names the first that failed, or would not.
  Result<> dismiss();

  std::vector<std::string> event_logs() const;

 private:
  struct Tenant {
    std::string name;
    std::string folder;
    Child child;
  };
  explicit Tenants(const study::Plan& plan) : plan_(&plan) {}
  Result<> add(const study::PlanFramework& framework, const PlanCluster& cluster, const LiveOptions& options);
  Error gone(const Tenant& tenant) const;

  const study::Plan* plan_;
  std::vector<Tenant> tenants_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace proffer::live
