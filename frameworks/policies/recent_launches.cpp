#include "frameworks/policies/recent_launches.hpp"

namespace proffer::policies {

Due due_of(const RecentLaunches& launches, JobId job, Kind kind, const Candidates& jobs, std::int64_t running,
           std::int64_t fair, Locality locality) {
  const auto share = std::max<std::int64_t>(1, jobs.fair_share(job, kind, fair));
  const auto demand = jobs.running(job, kind) + jobs.unlaunched(job, kind);
  return {std::min(running, launches.within(locality)), std::min(share, demand)};
}

}  // namespace proffer::policies
