// The slots that frameworks are owed, and when they get them, as runs are measured.
#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;
using ::testing::DoubleNear;

/// Two slots, both taken by "mr" until 13 s; "late" comes at 5 s with one map.
study::Plan two_tenants() {
  auto plan = plan_of(1, 2);
  add_job(plan, {{"n0"}, {"n0"}, {"n0"}, {"n0"}}, seconds(10));
  plan.frameworks.push_back({"late", "", "", {"greedy", {}}, 0});
  auto& job = add_job(plan, {{"n0"}}, seconds(10));
  job.framework = "late";
  job.submit = seconds(5);
  return plan;
}

TEST(TimeToShare, IsFromTheFirstDemandUntilWhatIsOwedRuns) {
  const auto measures = run(two_tenants()).measures;
  EXPECT_THAT(measures.at("time_to_share.mr"), DoubleNear(0, 1e-3));
  EXPECT_THAT(measures.at("time_to_share.late"), DoubleNear(8, 1e-3));
  EXPECT_THAT(measures.at("time_to_share"), DoubleNear(4, 1e-3));
}

TEST(FairShares, AreThoseOfFrameworksOfDifferentUsersWhereUsersAreLimited) {
  auto plan = two_tenants();
  AllocatorPool pool;
  pool.share.name = "all";
  pool.share.max_running_per_user = 1;
  plan.allocator.pools = {pool};
  for (auto& framework : plan.frameworks) {
    framework.pool = "all";
    framework.user = "of " + framework.name;
  }
  double owed = 0;
  for (const auto& row : run(plan).shares) {
    if (row.framework == "late") owed = std::max(owed, row.fair);
  }
  EXPECT_EQ(owed, 1);
}

}  // namespace
}  // namespace proffer::sim
