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
  EXPECT_EQ(small.cost.remote_rate, plan().cost.remote_rate);
  EXPECT_EQ(small.allocator.heartbeat, plan().allocator.heartbeat);
}

TEST(Scaled, ShrinksTheTimesOfPolicies) {
  const auto settings = scaled(plan(), 0.1).frameworks[0].policy.settings;
  EXPECT_EQ(settings.at("node_wait"), "500ms");
  EXPECT_EQ(settings.at("rack_wait"), "never");
  EXPECT_EQ(settings.at("skips"), "7");
}

}  // namespace
}  // namespace proffer::study
