// A pool with a min share that comes behind long tasks.
#include <algorithm>

#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;
using testing::DoubleNear;

constexpr double kAMillisecond = 1e-3;

AllocatorPool pool_of(const std::string& name, std::int64_t min_share) {
  AllocatorPool pool;
  pool.share.name = name;
  if (min_share > 0) pool.share.min_share.set(Kind("map"), min_share);
  pool.share.min_share_timeout = seconds(10);
  return pool;
}

/// Four slots, all taken until 103 s; "late" comes at 5 s with two maps, and two slots are its min share.
study::Plan late_pool(PreemptionMode mode) {
  auto plan = plan_of(1, 4);
  plan.allocator.pools = {pool_of("long", 0), pool_of("owed", 2)};
  plan.allocator.preemption.mode = mode;
  plan.frameworks[0].pool = "long";
  add_job(plan, {{"n0"}, {"n0"}, {"n0"}, {"n0"}}, seconds(100));
  plan.frameworks.push_back({"late", "owed", "", {"greedy", {}}, 0});
  auto& job = add_job(plan, {{"n0"}, {"n0"}}, seconds(10));
  job.framework = "late";
  job.submit = seconds(5);
  return plan;
}

TEST(Preemption, BringsAPoolToItsMinShareOnceItWasStarvedForItsTimeout) {
  const auto measures = run(late_pool(PreemptionMode::on)).measures;
  EXPECT_THAT(measures.at("time_to_min_share.owed"), DoubleNear(10, kAMillisecond));
  EXPECT_THAT(measures.at("killed_work"), DoubleNear(2 * 15, kAMillisecond)) << "two tasks, begun at 0";
  EXPECT_THAT(measures.at("response_max.job-2"), DoubleNear(10 + 13, kAMillisecond));
  EXPECT_THAT(measures.at("makespan"), DoubleNear(28 + 103, kAMillisecond)) << "what was killed runs again";
}

TEST(Preemption, ThatIsOffOrOnlySaidLeavesThePoolWaiting) {
  for (const auto mode : {PreemptionMode::off, PreemptionMode::log}) {
    const auto measures = run(late_pool(mode)).measures;
    EXPECT_THAT(measures.at("time_to_min_share.owed"), DoubleNear(98, kAMillisecond));
    EXPECT_EQ(measures.at("killed_work"), 0);
  }
}

/// One slot, of which one pool is owed 0.4 and the other 0.6, or promises of 6 and 7 on six slots.
TEST(Preemption, TakesNothingBackThatTheOrderWouldGiveAgain) {
  for (const bool promises : {false, true}) {
    auto plan = plan_of(1, promises ? 6 : 1);
    plan.allocator.pools = {pool_of("long", promises ? 6 : 0), pool_of("owed", promises ? 7 : 0)};
    plan.allocator.pools[1].share.weight_milli = promises ? 1000 : 1500;
    plan.allocator.preemption.mode = PreemptionMode::on;
    plan.allocator.preemption.fair_share_timeout = seconds(5);
    plan.allocator.preemption.fair_share_threshold_milli = 1000;
    plan.frameworks[0].pool = "long";
    plan.frameworks.push_back({"late", "owed", "", {"greedy", {}}, 0});
    add_job(plan, std::vector<std::vector<std::string>>(20, {"n0"}), seconds(20));
    add_job(plan, std::vector<std::vector<std::string>>(20, {"n0"}), seconds(20)).framework = "late";
    const auto result = run(plan);
    const auto killed = std::count_if(result.tasks.begin(), result.tasks.end(),
                                      [](const auto& task) { return task.state == "KILLED"; });
    EXPECT_LE(killed, promises ? 3 : 0) << "who came first has six, and the other is owed three at once";
  }
}

TEST(Preemption, KeepsInvariantsAndDigestsThroughTheCodec) {
  SimulationOptions checked;
  checked.check_every = 1;
  checked.codec = true;
  const auto plan = late_pool(PreemptionMode::on);
  EXPECT_EQ(run(plan, checked).digest, run(plan).digest);
}

}  // namespace
}  // namespace proffer::sim
