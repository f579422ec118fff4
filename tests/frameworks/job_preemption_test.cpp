// Pools of jobs within a framework that starve, and whose tasks end for them.
#include "proffer/frameworks/scheduler.hpp"
#include "proffer/messages/framework.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

constexpr JobId kHog{1};
constexpr JobId kOwed{2};

std::vector<PoolSpec> two_pools() {
  PoolSpec owed{"owed", 1000, {{kMap, 4}}};
  owed.min_share_timeout = 10s;
  return {{"hog", 1000, {}}, owed};
}

/// Eight slots, all of the hog's since 0 s; `owed` has a min share of 4 of them, and 10 s of patience.
struct PreemptionBench : PolicyBench {
  explicit PreemptionBench(const PreemptionConfig& preemption = {PreemptionMode::on, {}},
                           std::string_view policy_text = "greedy")
      : PolicyBench(policy_text, PoolOrder::fair, two_pools(), preemption) {
    add(kHog, "hog", 12);
    offers({offer(++next_offer, agent(1), 8)}, 0s);
  }
  void add(JobId id, const std::string& in, int tasks, const std::vector<std::uint64_t>& agents = {}) {
    pool.add_job(id, in + "-job", {.pool = in});
    for (int i = 0; i < tasks; ++i) pool.add(id, map_on(in + std::to_string(i), agents));
  }
  /// The owed pool's job comes.
  void come(Duration when, int tasks = 6, const std::vector<std::uint64_t>& agents = {}) {
    add(kOwed, "owed", tasks, agents);
    pool.watch_shares(at(when));
  }
  std::vector<std::string> victims(Duration when) {
    std::vector<std::string> ids;
    while (const auto starved = pool.take_starved(at(when))) {
      for (const auto& victim : starved->victims) ids.push_back(victim.task.value);
    }
    return ids;
  }
};

TEST(JobPreemption, APoolBelowItsMinShareForItsTimeoutGetsWhatItLacks) {
  PreemptionBench bench;
  bench.come(5s);
  EXPECT_EQ(bench.pool.next_starved(), at(15s));
  EXPECT_FALSE(bench.pool.take_starved(at(15s - 1us)));
  const auto starved = bench.pool.take_starved(at(15s));
  ASSERT_TRUE(starved);
  EXPECT_EQ(starved->pool, "owed");
  EXPECT_EQ(starved->used, 0);
  EXPECT_EQ(starved->target, 4);
  EXPECT_TRUE(starved->enforced);
  EXPECT_THAT(starved->victims, SizeIs(4));
}

TEST(JobPreemption, EndsTheNewestTasksFirst) {
  PreemptionBench bench;
  bench.come(0s);
  EXPECT_THAT(bench.victims(10s), ElementsAre("hog7", "hog6", "hog5", "hog4"));
}

TEST(JobPreemption, WhatIsDyingCountsAsGiven) {
  PreemptionBench bench;
  bench.come(0s);
  bench.victims(10s);
  EXPECT_THAT(bench.victims(20s), IsEmpty());
  bench.pool.ended(kHog, kMap, {"hog7"}, Time{});
  bench.pool.watch_shares(at(21s));
  EXPECT_THAT(bench.victims(30s), ElementsAre("hog3")) << "that slot went to another framework";
}

TEST(JobPreemption, APoolThatHasItsMinShareDoesNotStarve) {
  PreemptionBench bench;
  bench.come(0s, 4);
  for (const auto* task : {"hog0", "hog1", "hog2", "hog3"}) bench.pool.ended(kHog, kMap, {task}, Time{});
  bench.offers({offer(90, agent(1), 4)}, 9s);
  bench.pool.watch_shares(at(9s));
  EXPECT_EQ(bench.pool.next_starved(), std::nullopt);
  EXPECT_FALSE(bench.pool.starved(kOwed, kMap));
}

TEST(JobPreemption, BelowHalfItsFairShareForTFairAPoolIsBroughtToItsFairShare) {
  PreemptionBench bench({PreemptionMode::on, 30s});
  bench.pool.add_job({3}, "other", {.pool = "hog"});  // neither has a min share
  bench.pool.move_job(kHog, "");
  bench.pool.add({3}, anywhere("x0"));
  bench.pool.watch_shares(at(1s));
  EXPECT_EQ(bench.pool.next_starved(), at(31s));
  EXPECT_THAT(bench.victims(31s), ElementsAre("hog7")) << "it can use one";
}

TEST(JobPreemption, NobodyIsBroughtBelowItsFairShare) {
  PreemptionBench bench({PreemptionMode::on, 30s});
  for (const auto* task : {"hog0", "hog1"}) bench.pool.ended(kHog, kMap, {task}, Time{});
  bench.pool.add_job({3}, "small");
  for (int i = 0; i < 4; ++i) bench.pool.add({3}, anywhere("small" + std::to_string(i)));
  bench.offers({offer(91, agent(1), 2)}, 1s);  // the newest two tasks, and less than a third
  bench.come(1s);
  EXPECT_THAT(bench.victims(11s), ElementsAre("hog7", "hog6", "hog5", "hog4"));
}

TEST(JobPreemption, AJobThatLetsASlotPassIsShortByItsOwnChoice) {
  PreemptionBench bench({PreemptionMode::on, {}}, "wait,node_wait=5s,rack_wait=5s");
  bench.come(0s, 6, {2});
  bench.pool.ended(kHog, kMap, {"hog0"}, Time{});
  bench.offers({offer(92, agent(11))}, 8s);  // the hog takes it
  bench.pool.watch_shares(at(8s));
  EXPECT_EQ(bench.pool.next_starved(), at(23s)) << "ten seconds from when it would take more";
}

TEST(JobPreemption, AJobThatKeepsItsTasksFromAnAgentIsShortByItsOwnChoiceUntilSlotsAreRevived) {
  PreemptionBench bench;
  bench.pool.bar([](JobId job, Kind, AgentId, std::size_t) { return job == kOwed; });
  bench.come(0s);
  bench.pool.ended(kHog, kMap, {"hog0"}, Time{});
  for (int i = 0; i < 4; ++i) bench.pool.ended(kHog, kMap, {"hog" + std::to_string(4 + i)}, Time{});
  EXPECT_EQ(bench.offers({offer(92, agent(1), 5)}, 2s).back(), "policy") << "four are the hog's";
  bench.pool.watch_shares(at(2s));
  EXPECT_EQ(bench.pool.next_starved(), std::nullopt);
  bench.pool.revived(kMap, at(30s));
  bench.pool.watch_shares(at(30s));
  EXPECT_EQ(bench.pool.next_starved(), at(40s));
}

TEST(JobPreemption, TasksThatAreBeingEndedForOthersCountAsGone) {
  PolicyBench bench("greedy", PoolOrder::fair, two_pools(), {PreemptionMode::on, {}});
  for (const std::uint32_t n : {1u, 2u}) {
    const auto job = bench.job(n);
    for (int i = 0; i < 4; ++i) bench.pool.add(job, anywhere((n == 1 ? "x" : "y") + std::to_string(i)));
  }
  bench.offers({offer(1, agent(1), 8)}, 0s);
  std::vector<HeldTask> held;  // x2 and x3 are dying
  for (const auto* task : {"y3", "y2", "y1", "x1", "y0", "x0"}) held.push_back({{task}, 1});
  EXPECT_THAT(bench.pool.choose_losses(kMap, 2, held), ElementsAre(TaskId{"y3"}, TaskId{"y2"}))
      << "four are left, two for each job";
}

TEST(JobPreemption, AStarvedPoolsJobsDoNotWait) {
  for (const auto* policy : {"wait,node_wait=60m", "skip,node_skips=100", "auto"}) {
    PreemptionBench bench({PreemptionMode::on, {}}, policy);
    bench.come(0s, 6, {2});
    EXPECT_FALSE(bench.pool.starved(kOwed, kMap));
    bench.victims(10s);
    EXPECT_TRUE(bench.pool.starved(kOwed, kMap));
    EXPECT_FALSE(bench.pool.starved(kHog, kMap));
    bench.pool.ended(kHog, kMap, {"hog7"}, Time{});
    EXPECT_THAT(bench.offers({offer(93, agent(11))}, 10s), ElementsAre("owed0@any")) << policy;
  }
}

TEST(JobPreemption, LogOnlySaysWhatWouldEnd) {
  PreemptionBench bench({PreemptionMode::log, {}});
  bench.come(0s);
  const auto starved = bench.pool.take_starved(at(10s));
  ASSERT_TRUE(starved);
  EXPECT_FALSE(starved->enforced);
  EXPECT_THAT(starved->victims, SizeIs(4));
  EXPECT_THAT(bench.victims(20s), SizeIs(4)) << "they are still there";
}

TEST(JobPreemption, OffNobodyLosesTasksButTheStarvedNeedNotWait) {
  PreemptionBench bench(PreemptionConfig{});
  bench.come(0s);
  EXPECT_THAT(bench.victims(10s), IsEmpty());
  EXPECT_TRUE(bench.pool.starved(kOwed, kMap));
}

TEST(JobPreemption, WithoutATimeoutNothingStarves) {
  PolicyBench bench("greedy", PoolOrder::fair, {{"owed", 1000, {{kMap, 4}}}}, {PreemptionMode::on, {}});
  bench.pool.add_job(kOwed, "job", {.pool = "owed"});
  bench.pool.add(kOwed, anywhere("t"));
  bench.pool.watch_shares(at(0s));
  EXPECT_EQ(bench.pool.next_starved(), std::nullopt);
}

TEST(JobPreemption, WhatTheFrameworkOwesIsGivenByThoseAboveTheirShare) {
  PreemptionBench bench;
  for (const auto* task : {"hog0", "hog1"}) bench.pool.ended(kHog, kMap, {task}, Time{});
  bench.come(0s, 2);
  bench.offers({offer(94, agent(1), 2)}, 1s);
  std::vector<HeldTask> newest_first{{{"owed1"}, 1}, {{"owed0"}, 1}};
  for (const auto* task : {"hog7", "hog6", "hog5"}) newest_first.push_back({{task}, 1});
  EXPECT_THAT(bench.pool.choose_losses(kMap, 2, newest_first), ElementsAre(TaskId{"hog7"}, TaskId{"hog6"}));
}

TEST(JobPreemption, ATimeoutOfNothingIsRefused) {
  auto pools = two_pools();
  pools[1].min_share_timeout = Duration::zero();
  EXPECT_THAT(check_pools(pools).error().message, HasSubstr("min_share_timeout of pool 'owed'"));
}

}  // namespace
}  // namespace proffer::testing
