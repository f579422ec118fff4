// Plans in miniature.
#include <gmock/gmock.h>

#include "proffer/study/scaled.hpp"

namespace proffer::study {
namespace {

using std::chrono::seconds;

Plan plan() {
  Plan plan;
  plan.workload.files = {{"/in", {{1000, {}}, {1, {}}}}};
  WorkloadJob job;
  job.submit = seconds(10);
  job.maps = {{seconds(20), 500}};
  plan.workload.jobs = {job};
  plan.frameworks = {
      {"f", "", "", {"wait", {{"node_wait", "5s"}, {"rack_wait", "never"}, {"skips", "7"}}}, 0}};
  return plan;
}

TEST(Scaled, ShrinksTimesAndSizesAlike) {
  const auto small = scaled(plan(), 0.1);
  EXPECT_EQ(small.workload.jobs[0].submit, seconds(1));
  EXPECT_EQ(small.workload.jobs[0].maps[0].compute, seconds(2));
  EXPECT_EQ(small.workload.jobs[0].maps[0].output_bytes, 50u);
  EXPECT_EQ(small.workload.files[0].blocks[0].bytes, 100u);
  EXPECT_EQ(small.workload.files[0].blocks[1].bytes, 1u) << "what is there stays there";
  EXPECT_EQ(small.allocator.offer_timeout, seconds(3));
  EXPECT_EQ(small.frameworks[0].gather_for, seconds(1));
  EXPECT_EQ(small.cost.remote_rate, plan().cost.remote_rate);
  EXPECT_EQ(small.allocator.heartbeat, plan().allocator.heartbeat);
}

TEST(Scaled, APartOfAStageHasAsManyBlocksAsBefore) {
  auto whole = plan();
  auto& job = whole.workload.jobs[0];
  job.maps[0].output_bytes = 3 * 1001;
  job.stage = WorkloadStage{"g", {}, 1001};
  const auto small = scaled(whole, 0.1).workload.jobs[0];
  EXPECT_EQ(small.stage->block_bytes, 101u);
  EXPECT_EQ((small.maps[0].output_bytes + 100) / 101, 3u);
}

TEST(Scaled, ShrinksTheTimesOfPreemption) {
  auto whole = plan();
  whole.allocator.preemption.fair_share_timeout = seconds(60);
  whole.allocator.preemption.deadline = seconds(5);
  whole.allocator.pools = {{{"a", 1000, {}}, {}, {}}, {{"b", 1000, {}}, {}, {}}};
  whole.allocator.pools[0].share.min_share_timeout = seconds(20);
  whole.allocator.pools[1].return_after = seconds(30);
  const auto small = scaled(whole, 0.1).allocator;
  EXPECT_EQ(small.preemption.fair_share_timeout, seconds(6));
  EXPECT_EQ(small.preemption.deadline, std::chrono::milliseconds(500));
  EXPECT_EQ(small.pools[0].share.min_share_timeout, seconds(2));
  EXPECT_EQ(small.pools[1].share.min_share_timeout, std::nullopt);
  EXPECT_EQ(small.pools[1].return_after, seconds(3));
}

TEST(Scaled, ShrinksTheTimesOfPreemptionWithinAFramework) {
  auto whole = plan();
  whole.frameworks[0].sharing.preemption.fair_share_timeout = seconds(60);
  whole.frameworks[0].sharing.pools = {{"a", 1000, {}}};
  whole.frameworks[0].sharing.pools[0].min_share_timeout = seconds(20);
  const auto small = scaled(whole, 0.1).frameworks[0];
  EXPECT_EQ(small.sharing.preemption.fair_share_timeout, seconds(6));
  EXPECT_EQ(small.sharing.pools[0].min_share_timeout, seconds(2));
}

TEST(Scaled, ShrinksTheTimesOfPolicies) {
  const auto settings = scaled(plan(), 0.1).frameworks[0].policy.settings;
  EXPECT_EQ(settings.at("node_wait"), "500ms");
  EXPECT_EQ(settings.at("rack_wait"), "never");
  EXPECT_EQ(settings.at("skips"), "7");
}

}  // namespace
}  // namespace proffer::study
