// Jobs that are due at a time.
#include <gmock/gmock.h>

#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// One slot, and three jobs of one map of 10 s on it: due in an hour, in a minute, and at no time.
study::Plan three_jobs(PoolOrder mode) {
  auto plan = plan_of(1, 1);
  plan.frameworks[0].sharing.mode = mode;
  for (const auto deadline : {seconds(3600), seconds(60), seconds(0)}) {
    add_job(plan, {{"n0"}, {"n0"}}, seconds(10)).deadline = deadline;
  }
  return plan;
}

TEST(Deadlines, TheJobThatIsDueFirstIsServedFirst) {
  const auto result = run_checked(three_jobs(PoolOrder::deadline));
  EXPECT_LT(*result.jobs[1].finished, *result.jobs[0].finished);
  EXPECT_LT(*result.jobs[0].finished, *result.jobs[2].finished) << "who is due at no time is last";
  EXPECT_EQ(result.measures.at("deadlines_missed"), 0);
  EXPECT_EQ(result.measures.at("tardiness_max"), 0);
}

TEST(Deadlines, ChangeNothingInAnotherOrder) {
  auto without = three_jobs(PoolOrder::fifo);
  for (auto& job : without.workload.jobs) job.deadline = {};
  const auto result = run_checked(three_jobs(PoolOrder::fifo));
  const auto expected = run_checked(without);
  for (std::size_t i = 0; i < expected.jobs.size(); ++i) {
    EXPECT_EQ(result.jobs[i].finished, expected.jobs[i].finished);
  }
  EXPECT_FALSE(expected.measures.contains("deadlines_missed"));
}

TEST(Deadlines, SetupAndCleanupCountAsTimeOfTheJob) {
  auto plan = three_jobs(PoolOrder::deadline);
  auto& job = plan.workload.jobs[1];
  job.setup = seconds(30);
  job.cleanup = seconds(40);
  const auto result = run_checked(plan);
  EXPECT_EQ(result.jobs[1].reference.due, 60);
  EXPECT_EQ(result.measures.at("deadlines_missed"), 0.5);
  EXPECT_EQ(result.measures.at("tardiness_max"), *result.jobs[1].finished - 60);
}

}  // namespace
}  // namespace proffer::sim
