// A framework that ends its own tasks for a pool of its jobs that starves.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

MapReduceConfig preempting(PreemptionMode mode = PreemptionMode::on) {
  MapReduceConfig config;
  config.sharing.preemption.mode = mode;
  PoolSpec owed{"owed", 1000, {{Kind("map"), 1}}};
  owed.min_share_timeout = 10s;
  config.sharing.pools = {{"hog", 1000, {}}, owed};
  return config;
}

/// Two slots, which a job of two maps in pool hog has; then one in pool owed comes.
struct Preempted : Hand {
  explicit Preempted(PreemptionMode mode = PreemptionMode::on) : Hand(preempting(mode)) {
    input("/in", {{"a1"}, {"a1"}});
    submit(of("hog", "/x"));
    begin();
    hogs = offer_map("a1", 2);
    submit(of("owed", "/y"));
    pass(10s);
  }
  static JobSpec of(const std::string& pool, const std::string& output) {
    auto spec = grep("/in", output);
    spec.pool = pool;
    return spec;
  }
  std::vector<TaskSpec> hogs;
};

TEST(MapReducePreemption, EndsItsNewestTaskForAPoolThatStarves) {
  Preempted hand;
  ASSERT_THAT(hand.kills, SizeIs(1));
  EXPECT_EQ(hand.kills[0].task, hand.hogs.at(1).id);
  EXPECT_EQ(hand.kills[0].grace, Duration::zero());
  EXPECT_THAT(all_of<PoolStarved>(hand.traces), SizeIs(1));
  const auto preempted = all_of<TaskPreempted>(hand.traces);
  ASSERT_THAT(preempted, SizeIs(1));
  EXPECT_EQ(preempted[0].pool, "owed");
}

TEST(MapReducePreemption, WhatWasEndedIsMadeAgainAndIsNoFailure) {
  Preempted hand;
  hand.end(hand.hogs.at(1), TaskState::killed, TaskReason::kill_requested);
  const auto next = hand.offer_map("a1");
  ASSERT_THAT(next, SizeIs(1));
  EXPECT_EQ(next[0].job, JobId{2}) << "the starved pool's job takes the slot";
  hand.finish(next[0]);
  hand.finish(hand.hogs.at(0));
  hand.run_maps();
  EXPECT_TRUE(hand.framework->all_succeeded());
  EXPECT_EQ(hand.report().counters.failed_maps, 0u);
  EXPECT_EQ(hand.report().counters.killed_maps, 1u);
  EXPECT_THAT(hand.watcher.failures, IsEmpty());
}

TEST(MapReducePreemption, LogEndsNothing) {
  Preempted hand(PreemptionMode::log);
  EXPECT_THAT(hand.kills, IsEmpty());
  ASSERT_THAT(all_of<TaskPreempted>(hand.traces), SizeIs(1));
  EXPECT_FALSE(all_of<TaskPreempted>(hand.traces)[0].enforced);
}

TEST(MapReducePreemption, ATimeoutOfNothingIsRefused) {
  auto config = preempting();
  config.sharing.preemption.fair_share_timeout = Duration::zero();
  EXPECT_FALSE(MapReduce::make(config, nullptr).ok());
}

TEST(MapReducePreemption, TimeoutsOfFairSharesDoNotGoWithDominantOnes) {
  auto config = preempting();
  config.sharing.share_by = ShareBy::dominant;
  EXPECT_TRUE(MapReduce::make(config, nullptr).ok());
  config.sharing.preemption.fair_share_timeout = std::chrono::seconds(9);
  EXPECT_THAT(MapReduce::make(config, nullptr).error().message, HasSubstr("does not go with share_by"));
}

}  // namespace
}  // namespace proffer::mapreduce_test
