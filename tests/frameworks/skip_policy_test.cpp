// Delay scheduling by looks (EuroSys 2010, algorithm 2).
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// A job whose tasks all lie on agent 1 of rack r1. Agents 2-10 are in that rack, 11 and on are not.
struct SkipBench : PolicyBench {
  explicit SkipBench(std::string_view text, int tasks = 20) : PolicyBench(text) { job_of(tasks, {1}); }
};

TEST(SkipPolicy, TakesNodeLocalAtOnce) {
  SkipBench bench("skip,node_skips=3,rack_skips=3");
  EXPECT_EQ(bench.slot(1, 0s), "t0@node");
}

TEST(SkipPolicy, HasD1PlusOneLooksBeforeItTakesARackLocalTask) {
  SkipBench bench("skip,node_skips=2,rack_skips=2");
  EXPECT_EQ(bench.slot(2, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(3, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(4, 0s), "t0@rack");
}

TEST(SkipPolicy, HasD1PlusD2PlusOneLooksBeforeItTakesAny) {
  SkipBench bench("skip,node_skips=2,rack_skips=2");
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(12, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(13, 0s), "no-rack-local");
  EXPECT_EQ(bench.slot(14, 0s), "no-rack-local");
  EXPECT_EQ(bench.slot(15, 0s), "t0@any");
}

TEST(SkipPolicy, GoesOnWithNonLocalTasksUntilItLaunchesALocalOne) {
  SkipBench bench("skip,node_skips=1,rack_skips=1");
  bench.slot(11, 0s);
  bench.slot(12, 0s);
  EXPECT_EQ(bench.slot(13, 0s), "t0@any");
  EXPECT_EQ(bench.slot(14, 0s), "t1@any");
  EXPECT_EQ(bench.slot(1, 0s), "t2@node");
  EXPECT_EQ(bench.slot(15, 0s), "no-node-local");
}

TEST(SkipPolicy, TellsHowLongItHasLetSlotsPassSinceItWasSetBack) {
  SkipBench bench("skip,node_skips=1,rack_skips=1");
  const auto waited = [&](std::uint64_t where, Duration when) {
    bench.policy->opportunity(bench.standings, bench.pool, at(when));
    const auto there = agent(where);
    const auto choice = bench.policy->consider({there, kMap, OfferId{1, 100 + where}}, bench.pool, at(when));
    return std::get<Take>(choice).waited;
  };
  bench.slot(11, 1s);
  bench.slot(12, 2s);
  EXPECT_EQ(waited(13, 4s), Duration{3s});
  EXPECT_EQ(waited(1, 5s), Duration{4s});
  EXPECT_EQ(waited(1, 6s), Duration::zero()) << "a local launch has set it back";
}

TEST(SkipPolicy, ARackLocalLaunchPastBothDelaysGoesBackToTheRackLevel) {
  SkipBench bench("skip,node_skips=1,rack_skips=1");
  bench.slot(11, 0s);
  bench.slot(12, 0s);
  EXPECT_EQ(bench.slot(2, 0s), "t0@rack");
  EXPECT_EQ(bench.slot(13, 0s), "no-rack-local");
}

TEST(SkipPolicy, ARackLocalLaunchAtTheRackLevelLeavesTheCount) {
  SkipBench bench("skip,node_skips=1,rack_skips=1");
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(2, 0s), "t0@rack");
  EXPECT_EQ(bench.slot(3, 0s), "t1@rack");
}

TEST(SkipPolicy, OneOfferCountsOnceHoweverManySlotsItHas) {
  SkipBench bench("skip,node_skips=2,rack_skips=2");
  const auto helper = bench.job(2);  // takes two of the slots, so that job 1 is asked for all of them
  bench.pool.add(helper, anywhere("h0"));
  bench.pool.add(helper, anywhere("h1"));
  EXPECT_THAT(bench.offers({offer(100, agent(2), 8)}, 0s), ElementsAre("h0@any", "h1@any", "no-node-local"));
  EXPECT_EQ(bench.slot(3, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(4, 0s), "t0@rack");
}

TEST(SkipPolicy, AnOfferThatWasLetPassIsLetPassWithAllItsSlots) {
  SkipBench bench("skip,node_skips=1,rack_skips=1");
  const auto helper = bench.job(2);
  bench.pool.add(helper, anywhere("h0"));
  EXPECT_THAT(bench.offers({offer(100, agent(2), 8)}, 0s), ElementsAre("h0@any", "no-node-local"));
  EXPECT_EQ(bench.slot(2, 0s), "t0@rack");
}

TEST(SkipPolicy, AnIdleSlotCountsAtTheFirstLookAndNotAgain) {
  SkipBench bench("skip,node_skips=2,rack_skips=2");
  EXPECT_EQ(bench.idle_slot(2, 0s), "no-node-local");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(bench.idle_slot(2, 1s), "no-node-local");
  EXPECT_EQ(bench.idle_slot(3, 1s), "no-node-local");
  EXPECT_EQ(bench.idle_slot(2, 1s), "t0@rack");
}

TEST(SkipPolicy, ASlotThatWasFreedAgainCountsAgain) {
  SkipBench bench("skip,node_skips=2,rack_skips=2");
  bench.slot(2, 0s);
  bench.slot(2, 1s);
  EXPECT_EQ(bench.slot(2, 2s), "t0@rack");
}

TEST(SkipPolicy, SlotsIdleForLongMoveAJobToItsNextLevel) {
  SkipBench bench("skip,node_skips=50,rack_skips=50,idle_after=10s");
  bench.slot(2, 0s);
  EXPECT_EQ(bench.look_again_at(), at(10s));
  EXPECT_EQ(bench.idle_slot(2, 9s), "no-node-local");
  EXPECT_EQ(bench.idle_slot(2, 9s), "no-node-local");
  EXPECT_EQ(bench.idle_slot(2, 10s), "no-node-local");
  EXPECT_TRUE(bench.take_widened());
  EXPECT_EQ(bench.idle_slot(2, 10s), "t0@rack");
}

TEST(SkipPolicy, WithoutIdleAfterIdleSlotsNeverCountAgain) {
  SkipBench bench("skip,node_skips=50,rack_skips=50,idle_after=never");
  bench.slot(2, 0s);
  EXPECT_EQ(bench.look_again_at(), std::nullopt);
  EXPECT_EQ(bench.idle_slot(2, 3600s), "no-node-local");
  EXPECT_EQ(bench.idle_slot(2, 7200s), "no-node-local");
}

TEST(SkipPolicy, AJobWithoutAnUnlaunchedTaskIsNotSkipped) {
  SkipBench bench("skip,node_skips=2,rack_skips=2", 1);
  EXPECT_EQ(bench.slot(1, 0s), "t0@node");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(bench.slot(2, 0s), "no-pending-task");
  bench.pool.add({1}, map_on("late", {1}));
  EXPECT_EQ(bench.slot(2, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(3, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(4, 0s), "late@rack");
}

TEST(SkipPolicy, AJobBehindOneThatTakesTheSlotIsNotSkipped) {
  SkipBench bench("skip,node_skips=1,rack_skips=1");
  bench.pool.add({1}, map_on("first", {2}));
  const auto second = bench.job(2);
  bench.pool.add(second, map_on("s0", {11}));
  EXPECT_EQ(bench.slot(2, 0s), "first@node");  // job 2 was not looked at
  EXPECT_EQ(bench.policy->next_level_change(kMap, bench.pool, at(0s)), at(0s));
  EXPECT_EQ(bench.slot(3, 0s), "no-node-local");  // now both were
  EXPECT_EQ(bench.slot(12, 0s), "s0@rack");
}

TEST(SkipPolicy, JobsWithoutPreferencesDoNotWait) {
  PolicyBench bench("skip,node_skips=100,rack_skips=100");
  bench.pool.add(bench.job(1), anywhere("reduce", kReduce));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 1, kReduce)}, 0s), ElementsAre("reduce@any"));
}

TEST(SkipPolicy, AStarvedFrameworkDoesNotWait) {
  SkipBench bench("skip,node_skips=100,rack_skips=100");
  bench.standings = {{kMap, 0, 10, true, true, false}};
  EXPECT_EQ(bench.slot(11, 0s), "t0@any");
  bench.standings = {{kMap, 5, 10, false, true, false}};
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");
}

TEST(SkipPolicy, WorkConservingTakesAnySlotWhileNoOtherFrameworkWantsIt) {
  SkipBench bench("skip,node_skips=1,rack_skips=0,work_conserving=true");
  bench.standings = {{kMap, 0, 10, false, false, false}};
  EXPECT_EQ(bench.slot(11, 0s), "t0@any");
  bench.standings = {{kMap, 1, 10, false, true, false}};
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(11, 0s), "t1@any");
}

TEST(SkipPolicy, WorkConservingLooksAgainSoonSinceOthersMayCeaseToWantSlots) {
  SkipBench bench("skip,node_skips=9,rack_skips=0,work_conserving=true");
  bench.standings = {{kMap, 1, 10, false, true, false}};
  EXPECT_EQ(bench.slot(11, 3s), "no-node-local");
  EXPECT_EQ(bench.look_again_at(), at(4s));
}

TEST(SkipPolicy, DoesNotShareTheDiseaseOfHeadOfLine) {
  PolicyBench bench("skip,node_skips=5,rack_skips=0");
  const auto big = bench.job(1);
  for (std::uint64_t n = 1; n <= 30; ++n) bench.pool.add(big, map_on("big" + std::to_string(n), {n}));
  EXPECT_EQ(bench.slot(1, 0s), "big1@node");
  const auto small = bench.job(2);
  bench.pool.add(small, map_on("small", {30}));
  EXPECT_EQ(bench.slot(2, 1s), "big2@node");
  EXPECT_EQ(bench.slot(30, 1s), "small@node");
}

TEST(SkipPolicy, DoesNotShareTheDiseaseOfStickySlots) {
  PolicyBench bench("skip,node_skips=3,rack_skips=3");
  two_jobs(bench);
  bench.slot(1, 0s);
  bench.slot(2, 0s);
  end_one(bench.pool, {1});
  // The neediest job gets its former slot's neighbour offered, and lets the other one have it.
  EXPECT_EQ(bench.slot(2, 1s), "j2-1@node");
  EXPECT_EQ(bench.slot(1, 1s), "j1-1@node");
}

TEST(SkipPolicy, TellsOnceWhenAJobBeginsToAcceptMore) {
  SkipBench bench("skip,node_skips=1,rack_skips=1");
  EXPECT_FALSE(bench.take_widened());
  bench.slot(11, 0s);
  EXPECT_TRUE(bench.take_widened());
  EXPECT_FALSE(bench.take_widened());
  bench.slot(12, 0s);
  EXPECT_TRUE(bench.take_widened());
  EXPECT_EQ(bench.level_change(5s), std::nullopt);  // nothing is left to wait for
}

TEST(SkipPolicy, AJobThatEndedIsForgotten) {
  SkipBench bench("skip,node_skips=1,rack_skips=0", 1);
  bench.slot(11, 0s);
  bench.pool.remove({1}, {"t0"});
  bench.pool.remove_job({1});
  bench.policy->job_ended({1});
  bench.job(1);
  bench.pool.add({1}, map_on("again", {1}));
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");
}

}  // namespace
}  // namespace proffer::testing
