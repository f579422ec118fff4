#include "frameworks/policies/recent_launches.hpp"

#include <algorithm>

namespace proffer::policies {

bool half_its_share_is_near(RecentLaunches& launches, JobId job, Kind kind, const Candidates& jobs,
                            std::int64_t fair, Locality locality) {
  const auto share = std::max<std::int64_t>(1, jobs.fair_share(job, kind, fair));
  const auto running = jobs.running(job, kind);
  launches.launched(locality, running + 1);
  return 2 * launches.within(locality) >= std::min(share, running + jobs.unlaunched(job, kind));
}

}  // namespace proffer::policies
