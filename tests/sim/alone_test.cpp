// Jobs on the empty cluster.
#include "proffer/sim/alone.hpp"

#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;
using testing::DoubleNear;

TEST(Alone, AJobTakesWhatItTakesWithoutTheOthers) {
  auto plan = plan_of(1, 1);
  add_job(plan, {{"n0"}}, seconds(10));
  add_job(plan, {{"n0"}, {"n0"}}, seconds(10));
  const auto alone = responses_alone(plan);
  ASSERT_TRUE(alone) << alone.error().message;
  EXPECT_THAT(alone->at("job-1"), DoubleNear(13, 1e-5));
  EXPECT_THAT(alone->at("job-2"), DoubleNear(26, 1e-5));
  EXPECT_GT(run(plan).jobs[1].finished, 26 + 1e-5) << "together they wait for each other";
}

TEST(Alone, NeitherFaultsNorPredecessorsCount) {
  auto plan = plan_of(1, 1);
  add_job(plan, {{"n0"}}, seconds(10));
  add_job(plan, {{"n0"}}, seconds(10)).after = "job-1";
  plan.faults.push_back({Duration::zero(), study::PlanFault::What::slow_node, "n0", seconds(50), 2500});
  EXPECT_THAT(responses_alone(plan)->at("job-2"), DoubleNear(13, 1e-5));
}

TEST(Alone, NeitherPartitionsNorPoliciesCount) {
  auto plan = plan_of(2, 1);
  add_job(plan, {{"n0"}, {"n1"}}, seconds(10));
  AllocatorPool pool;
  pool.share.name = "half";
  pool.agents = {"n0"};
  plan.allocator.pools = {pool};
  plan.frameworks[0].pool = "half";
  plan.frameworks[0].max_running_jobs = 1;
  EXPECT_GT(*run(plan).jobs[0].finished, 26 - 1e-5) << "with the rest it has one node";
  EXPECT_THAT(responses_alone(plan)->at("job-1"), DoubleNear(13, 1e-5));
}

TEST(Alone, AJobThatDoesNotEndInTimeHasNone) {
  auto plan = plan_of(1, 1);
  add_job(plan, {{"n0"}}, seconds(10));
  plan.horizon = seconds(5);
  EXPECT_TRUE(responses_alone(plan)->empty());
}

TEST(Slowdown, IsTheResponseOverThatAlone) {
  auto plan = plan_of(1, 1);
  add_job(plan, {{"n0"}}, seconds(10));
  study::Recorder recorder(plan, kStart);
  const auto simulated = simulate(plan, recorder).value();
  const auto result = recorder.finish(simulated.duration, {{"job-1", 6.5}});
  EXPECT_THAT(result.measures.at("slowdown_mean"), DoubleNear(2, 1e-5));
  EXPECT_EQ(result.jobs[0].reference.alone, 6.5);
}

TEST(Slowdown, IsLeftOutWhereNoJobRanAlone) {
  EXPECT_FALSE(run(busy_plan(1)).measures.contains("slowdown_mean"));
}

}  // namespace
}  // namespace proffer::sim
