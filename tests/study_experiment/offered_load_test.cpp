#include "proffer/study/offered_load.hpp"

#include <gtest/gtest.h>

namespace proffer::study {
namespace {

using std::chrono::seconds;

/// Ten slots, and two frameworks with a job each, the second after `gap`.
Plan two_jobs(Duration gap) {
  Plan plan;
  plan.nodes = {{"n1", "r1", {{Kind("map"), 10}}}};
  plan.cost.start_up = seconds(1);
  plan.workload.files = {{"/in", {{100'000'000, {}}}}};
  for (const auto* framework : {"a", "b"}) {
    WorkloadJob job;
    job.name = framework;
    job.framework = framework;
    job.maps = {{seconds(9), 0}, {seconds(9), 0}};
    plan.workload.jobs.push_back(job);
  }
  plan.workload.jobs[1].submit = gap;
  return plan;
}

TEST(OfferedLoad, IsWorkOverTheSlotsOfTheTimeInWhichJobsCome) {
  const auto loads = offered_load(two_jobs(seconds(8)));
  ASSERT_EQ(loads.size(), 3u) << "all, a and b";
  EXPECT_DOUBLE_EQ(loads[0].work, 40);
  EXPECT_DOUBLE_EQ(loads[0].wanted, 5);
  EXPECT_DOUBLE_EQ(loads[0].load(), 0.5);
  EXPECT_EQ(loads[1].framework, "a");
  EXPECT_DOUBLE_EQ(loads[1].load(), 0.25);
}

TEST(OfferedLoad, OfJobsThatComeAtOnceIsWorkOnly) {
  const auto loads = offered_load(two_jobs({}));
  EXPECT_DOUBLE_EQ(loads[0].work, 40);
  EXPECT_DOUBLE_EQ(loads[0].load(), 0);
}

TEST(OfferedLoad, CountsReadingWhereItTakesLongerThanComputing) {
  auto plan = two_jobs(seconds(8));
  plan.cost.disk_rate = 5'000'000;  // 20 s for a block
  plan.workload.jobs[0].file = 0;
  EXPECT_DOUBLE_EQ(offered_load(plan)[1].work, 2 * 21);
}

}  // namespace
}  // namespace proffer::study
