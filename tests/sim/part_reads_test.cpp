// Maps that read a part of their block.
#include <gmock/gmock.h>

#include "proffer/study/plan_rules.hpp"
#include "tests/sim/small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

/// A map on n0 that reads so many of the 300 MB on n1; 0: all of them.
study::Plan plan_with_part(std::uint64_t bytes) {
  auto plan = plan_of(2, 1);
  plan.nodes[1].slots = {{Kind("reduce"), 1}};
  add_job(plan, {{"n1"}}, seconds(1), 300'000'000).maps[0].input_bytes = bytes;
  return plan;
}

double response_of(const study::Plan& plan) {
  const auto row = run(plan).jobs.at(0);
  return *row.finished - row.submitted;
}

TEST(PartOfABlock, IsAllThatIsRead) {
  EXPECT_NEAR(response_of(plan_with_part(0)), 3 + 300 / 30.0, 0.001);
  EXPECT_NEAR(response_of(plan_with_part(60'000'000)), 3 + 60 / 30.0, 0.001);
}

TEST(PartOfABlock, IsReadOfTheBlockThatTheJobNames) {
  auto plan = plan_of(3, 1);
  plan.nodes[0].slots = plan.nodes[1].slots = {{Kind("reduce"), 1}};
  auto& job = add_job(plan, {{"n1"}, {"n2"}}, seconds(10), 300'000'000);
  job.maps = {{seconds(10), 0, 5}};
  job.reads = {1};
  const auto result = run(plan);
  EXPECT_EQ(result.measures.at("node_local"), 1);
}

TEST(PartOfABlock, IsNoLargerThanTheBlock) {
  EXPECT_EQ(study::check_plan(plan_with_part(300'000'001)).error().message,
            "job job-1 reads more of a block of /in/1 than it has");
}

TEST(PlanOfTooLargeJobs, IsRefusedBeforeItRuns) {
  auto plan = plan_with_part(0);
  plan.workload.jobs[0].reduces.resize(10001);
  EXPECT_EQ(study::check_plan(plan).error().message, "job job-1: a job has at most 10000 reduces");
}

}  // namespace
}  // namespace proffer::sim
