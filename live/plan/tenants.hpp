// The processes of a plan's frameworks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/live/local_cluster.hpp"
#include "proffer/live/run_plan.hpp"

namespace proffer::live {

/// What a tenant said of a job.
struct JobEnd {
  std::uint32_t job = 0;
  std::string why;  ///< it failed; empty: it did not
};

/// They end with the object, at the latest.
class Tenants {
 public:
  /// Returns when all of them are ready. Logs are below options.dir.
  static Result<Tenants> start(const study::Plan& plan, const LocalCluster& cluster,
                               const LiveOptions& options);

  /// `io` when its tenant has ended.
  Result<> submit(std::uint32_t job);
  /// Waits until some tenant may have said something, `stop` is requested or so long.
  void wait(const Stop& stop, Duration at_most) const;
  /// `io` when one has ended, with the last line of its log.
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
  Result<> add(const study::PlanFramework& framework, const LocalCluster& cluster,
               const LiveOptions& options);
  Error gone(const Tenant& tenant) const;

  const study::Plan* plan_;
  std::vector<Tenant> tenants_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace proffer::live
