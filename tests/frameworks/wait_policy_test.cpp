// Delay scheduling by time (EuroSys 2010, algorithm 3) and its reset rules.
#include <algorithm>

#include "proffer/frameworks/policy_registry.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// A job whose tasks all lie on agent 1 of rack r1. Agents 2-10 are in that rack, 11 and on are not.
/// W1 = 5 s, W2 = 3 s.
struct WaitBench : PolicyBench {
  explicit WaitBench(const std::string& reset = "on-launch", int tasks = 40)
      : PolicyBench("wait,node_wait=5s,rack_wait=3s,reset=" + reset) {
    job_of(tasks, {1});
  }
};

TEST(WaitPolicy, TakesNodeLocalAtOnce) { EXPECT_EQ(WaitBench().slot(1, 0s), "t0@node"); }

TEST(WaitPolicy, TakesRackLocalAfterW1NotBefore) {
  WaitBench bench;
  EXPECT_EQ(bench.slot(2, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(2, 5s - 1us), "no-node-local");
  EXPECT_EQ(bench.slot(2, 5s), "t0@rack");
}

TEST(WaitPolicy, TakesAnyAfterW1PlusW2NotBefore) {
  WaitBench bench;
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(11, 5s), "no-rack-local");
  EXPECT_EQ(bench.slot(11, 8s - 1us), "no-rack-local");
  EXPECT_EQ(bench.slot(11, 8s), "t0@any");
}

TEST(WaitPolicy, TheClockOfAJobThatWasNotSkippedStands) {
  WaitBench bench;
  const auto other = bench.job(2);
  bench.pool.add(other, anywhere("o0"));
  bench.pool.add({1}, map_on("own", {2}));
  EXPECT_EQ(bench.slot(2, 0s), "own@node");
  EXPECT_EQ(bench.slot(3, 10s), "o0@any");  // job 2 has fewer running: job 1 was not looked at
  EXPECT_EQ(bench.slot(3, 20s), "no-node-local");
  EXPECT_EQ(bench.slot(3, 25s), "t0@rack");
}

TEST(WaitPolicy, OffersOfOneMessageShareOneInstant) {
  WaitBench bench;
  bench.slot(11, 0s);
  EXPECT_THAT(bench.offers({offer(50, agent(12)), offer(51, agent(13)), offer(52, agent(2))}, 5s),
              ElementsAre("no-rack-local", "no-rack-local", "t0@rack"));
}

TEST(WaitPolicy, AMessageOfAnotherKindIsNoOpportunity) {
  WaitBench bench;
  bench.slot(11, 0s);
  bench.offers({offer(50, agent(11), 1, kReduce)}, 4s);
  EXPECT_EQ(bench.slot(2, 5s), "t0@rack");
}

TEST(WaitPolicy, OnLaunchARackLocalLaunchStaysAtTheRackLevelAndWaitsW2Anew) {
  WaitBench bench;
  bench.slot(2, 0s);
  EXPECT_EQ(bench.slot(2, 5s), "t0@rack");
  EXPECT_EQ(bench.slot(2, 5s), "t1@rack");
  EXPECT_EQ(bench.slot(11, 5s), "no-rack-local");
  EXPECT_EQ(bench.slot(11, 8s - 1us), "no-rack-local");
  EXPECT_EQ(bench.slot(11, 8s), "t2@any");
}

TEST(WaitPolicy, OnLaunchTheAnyLevelIsLeftOnlyThroughAMoreLocalLaunch) {
  WaitBench bench;
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(11, 8s), "t0@any");
  EXPECT_EQ(bench.slot(11, 8s), "t1@any");
  EXPECT_EQ(bench.slot(2, 9s), "t2@rack");
  EXPECT_EQ(bench.slot(11, 9s), "no-rack-local");
  EXPECT_EQ(bench.slot(1, 9s), "t3@node");
  EXPECT_EQ(bench.slot(2, 9s), "no-node-local");
}

TEST(WaitPolicy, OnLocalLaunchOnlyANodeLocalLaunchStartsTheWaitAnew) {
  WaitBench bench("on-local-launch");
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(11, 8s), "t0@any");
  EXPECT_EQ(bench.slot(2, 8s), "t1@rack");
  EXPECT_EQ(bench.slot(11, 8s), "t2@any");
  EXPECT_EQ(bench.slot(1, 8s), "t3@node");
  EXPECT_EQ(bench.slot(11, 8s), "no-node-local");
}

TEST(WaitPolicy, NeverMeansThatAJobThatHasWaitedWaitsNoMore) {
  WaitBench bench("never");
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(11, 8s), "t0@any");
  EXPECT_EQ(bench.slot(1, 8s), "t1@node");
  EXPECT_EQ(bench.slot(11, 8s), "t2@any");
}

TEST(WaitPolicy, NoRejectsResetsAfterARoundThatLaunchedAndLetNothingPass) {
  WaitBench bench("no-rejects");
  EXPECT_EQ(bench.slot(1, 0s), "t0@node");  // a reset: nothing was let pass since the beginning
  bench.slot(11, 1s);
  EXPECT_EQ(bench.slot(11, 9s), "t1@any");
  // The round let nothing pass, but not all slots were offered and an earlier round did.
  EXPECT_EQ(bench.slot(12, 9s), "t2@any");
  bench.standings = {{kMap, 3, 10, false, true, true}};
  EXPECT_EQ(bench.slot(1, 10s), "t3@node");  // complete, launched, nothing let pass
  EXPECT_EQ(bench.slot(12, 11s), "no-node-local");
}

TEST(WaitPolicy, NoRejectsGoesToTheNearestLevelThatTheRoundLaunched) {
  WaitBench bench("no-rejects");
  bench.slot(11, 0s);
  bench.standings = {{kMap, 3, 10, false, true, true}};
  EXPECT_THAT(bench.offers({offer(50, agent(11)), offer(51, agent(2))}, 8s),
              ElementsAre("t0@any", "t1@rack"));
  EXPECT_EQ(bench.slot(2, 8s), "t2@rack");
  EXPECT_EQ(bench.slot(11, 8s), "no-rack-local");
}

TEST(WaitPolicy, NoRejectsDoesNotResetInARoundThatLetSomethingPass) {
  WaitBench bench("no-rejects");
  bench.standings = {{kMap, 3, 10, false, true, true}};
  EXPECT_THAT(bench.offers({offer(50, agent(1)), offer(51, agent(11))}, 0s),
              ElementsAre("t0@node", "no-node-local"));
  EXPECT_THAT(bench.offers({offer(52, agent(1)), offer(53, agent(11))}, 4s),
              ElementsAre("t1@node", "no-node-local"));
  EXPECT_EQ(bench.slot(11, 8s), "t2@any");
}

TEST(WaitPolicy, ProRataALocalLaunchOfTheLastTwoTasksStartsTheWaitAnew) {
  WaitBench bench("pro-rata", 3);
  bench.standings = {{kMap, 0, 10, false, true, false}};
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(1, 7s), "t0@node");  // two are held back: 16 s / 2 is more than it has waited
  EXPECT_EQ(bench.slot(2, 7s), "no-node-local");
  EXPECT_EQ(bench.slot(2, 12s), "t1@rack");
}

TEST(WaitPolicy, ProRataALocalLaunchTakesTheWaitBackByItsPartOfTheSlotsHeldBack) {
  WaitBench bench("pro-rata");
  bench.standings = {{kMap, 0, 9, false, true, false}};
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(1, 6s), "t0@node");  // eight of its nine are held back: 2 x 8 s / 8
  EXPECT_EQ(bench.slot(2, 7s - 1us), "no-node-local");
  EXPECT_EQ(bench.slot(2, 7s), "t1@rack");
}

TEST(WaitPolicy, ProRataWhoRunsItsShareElsewhereHoldsBackAllOfIt) {
  WaitBench bench("pro-rata", 400);
  bench.standings = {{kMap, 0, 100, false, false, false}};
  bench.slot(11, 0s);
  EXPECT_EQ(bench.offers({offer(50, agent(12), 99)}, 8s).size(), 99u);
  EXPECT_EQ(bench.slot(1, 9s), "t99@node");
  EXPECT_EQ(bench.slot(13, 9s), "no-rack-local") << "a wait of 8 s less 16 s / 99";
  EXPECT_EQ(bench.slot(13, 9200ms), "t100@any");
}

TEST(WaitPolicy, ProRataTheClockRunsOnWhileASlotThatNobodyTookStandsIdle) {
  WaitBench bench("pro-rata");
  bench.standings = {{kMap, 0, 9, false, true, false}};
  bench.slot(11, 0s);
  EXPECT_EQ(bench.level_change(0s), Duration{5s});
  bench.pool.add({1}, map_on("own", {3}));
  EXPECT_EQ(bench.slot(3, 4s), "own@node");  // lets nothing pass, and takes 2 s of the wait back
  EXPECT_EQ(bench.slot(2, 7s - 1us), "no-node-local");
  EXPECT_EQ(bench.slot(2, 7s), "t0@rack");
}

TEST(WaitPolicy, ProRataASlotThatAnotherJobTookDoesNotKeepTheClockRunning) {
  WaitBench bench("pro-rata");
  bench.pool.add(bench.job(2), map_on("o0", {2}));
  bench.pool.add({2}, map_on("o1", {3}));
  EXPECT_EQ(bench.slot(2, 0s), "o0@node");  // job 1 was skipped
  EXPECT_EQ(bench.slot(1, 1s), "t0@node");  // and was not, here
  EXPECT_EQ(bench.slot(2, 20s), "no-node-local");
  EXPECT_EQ(bench.level_change(20s), Duration{25s}) << "its wait begins at 20 s";
}

/// A share of ten slots.
TEST(WaitPolicy, ShareAwareResetsOnceHalfTheShareRunsLocal) {
  WaitBench bench("share-aware");
  bench.standings = {{kMap, 1, 10, false, true, false}};
  EXPECT_THAT(bench.offers({offer(50, agent(1), 4), offer(51, agent(11))}, 0s),
              ElementsAre("t0@node", "t1@node", "t2@node", "t3@node", "no-node-local"));
  EXPECT_EQ(bench.slot(11, 7s), "no-rack-local");
  EXPECT_EQ(bench.slot(1, 7s), "t4@node");  // the fifth: from here on launches reset
  EXPECT_EQ(bench.slot(11, 7s), "no-node-local");
}

TEST(WaitPolicy, ShareAwareDoesNotResetForAShareThatRunsElsewhere) {
  WaitBench bench("share-aware");
  bench.standings = {{kMap, 1, 10, false, true, false}};
  bench.slot(11, 0s);
  EXPECT_EQ(bench.offers({offer(50, agent(12), 9)}, 8s).size(), 9u);  // it has nine of its ten
  EXPECT_EQ(bench.slot(1, 8s), "t9@node");
  EXPECT_EQ(bench.slot(13, 8s), "t10@any");
}

TEST(WaitPolicy, ShareAwareForgetsLaunchesThatEnded) {
  WaitBench bench("share-aware");
  bench.standings = {{kMap, 1, 10, false, true, false}};
  bench.slot(11, 0s);
  bench.offers({offer(50, agent(12), 6)}, 8s);
  for (int i = 0; i < 6; ++i) end_one(bench.pool, {1});
  bench.offers({offer(51, agent(1), 5)}, 9s);
  EXPECT_EQ(bench.slot(12, 9s), "no-node-local");
}

TEST(WaitPolicy, ShareAwareCountsDemandWhereThatIsLessThanTheShare) {
  WaitBench bench("share-aware", 2);
  bench.standings = {{kMap, 1, 100, false, true, false}};
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(1, 4s), "t0@node");  // one of two: half of its demand
  EXPECT_EQ(bench.slot(2, 6s), "no-node-local");
}

TEST(WaitPolicy, ShareAwareGoesByTheWeightsOfPools) {
  PoolSpec heavy{"heavy", 9000, {}};
  PoolSpec light{"light", 1000, {}};
  PolicyBench bench("wait,node_wait=5s,rack_wait=3s,reset=share-aware", PoolOrder::fair, {heavy, light});
  bench.standings = {{kMap, 1, 20, false, true, false}};
  bench.pool.add_job({2}, "other", {.pool = "heavy"});
  for (int i = 0; i < 20; ++i) bench.pool.add({2}, map_on("o" + std::to_string(i), {30}));
  bench.pool.add_job({1}, "job", {.pool = "light"});
  for (int i = 0; i < 20; ++i) bench.pool.add({1}, map_on("t" + std::to_string(i), {1}));
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(1, 7s), "t0@node");  // half of its two
  EXPECT_EQ(bench.slot(2, 7s), "no-rack-local") << "its wait has begun anew; the other's has not";
}

TEST(WaitPolicy, JobsWithoutPreferencesDoNotWait) {
  PolicyBench bench("wait,node_wait=1m");
  bench.pool.add(bench.job(1), anywhere("reduce", kReduce));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 1, kReduce)}, 0s), ElementsAre("reduce@any"));
}

TEST(WaitPolicy, AStarvedFrameworkDoesNotWait) {
  WaitBench bench;
  bench.standings = {{kMap, 0, 10, true, true, false}};
  EXPECT_EQ(bench.slot(11, 0s), "t0@any");
}

TEST(WaitPolicy, TheUsualResetRuleIsProRata) {
  const auto policy = policy_registry().describe("wait").value();
  const auto reset = std::find_if(policy.settings.begin(), policy.settings.end(),
                                  [](const auto& setting) { return setting.name == "reset"; });
  ASSERT_NE(reset, policy.settings.end());
  EXPECT_EQ(reset->fallback, "pro-rata");
}

TEST(WaitPolicy, WorkConservingTakesAnySlotWhileNoOtherFrameworkWantsIt) {
  WaitBench bench("on-launch,work_conserving=true");
  bench.standings = {{kMap, 0, 10, false, false, false}};
  EXPECT_EQ(bench.slot(11, 0s), "t0@any");
  bench.standings = {{kMap, 1, 10, false, true, false}};
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");  // its wait begins here
  EXPECT_EQ(bench.slot(2, 5s), "t1@rack");
}

TEST(WaitPolicy, WorkConservingLooksAgainSoonSinceOthersMayCeaseToWantSlots) {
  WaitBench bench("on-launch,work_conserving=true");
  bench.standings = {{kMap, 1, 10, false, true, false}};
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");
  EXPECT_EQ(bench.level_change(0s), Duration{1s});
  bench.standings = {{kMap, 0, 10, false, false, false}};
  EXPECT_EQ(bench.slot(11, 1s), "t0@any");
}

TEST(WaitPolicy, WorkConservingGivesASlotToAJobWithDataThereFirst) {
  WaitBench bench("on-launch,work_conserving=true");
  bench.pool.add(bench.job(2), map_on("here", {11}));
  EXPECT_EQ(bench.slot(11, 0s), "here@node");
  EXPECT_EQ(bench.slot(11, 0s), "t0@any");
}

TEST(WaitPolicy, ZeroWaitsAreGreedy) {
  PolicyBench bench("wait,node_wait=0s,rack_wait=0s");
  bench.pool.add(bench.job(1), map_on("t", {1}));
  EXPECT_EQ(bench.slot(11, 0s), "t@any");
}

TEST(WaitPolicy, TheNextLevelChangeIsTheEarliestOfAllPendingJobs) {
  WaitBench bench;
  bench.slot(11, 0s);
  EXPECT_EQ(bench.level_change(0s), Duration{5s});
  const auto second = bench.job(2);
  bench.pool.add(second, map_on("s", {21}));
  bench.slot(11, 2s);
  EXPECT_EQ(bench.level_change(2s), Duration{5s});
  EXPECT_EQ(bench.slot(11, 5s), "no-rack-local");   // job 1, the first in order, takes rack-local by now
  EXPECT_EQ(bench.level_change(5s), Duration{7s});  // and job 2 is the next to do so
}

TEST(WaitPolicy, WithoutAWaitingJobThereIsNoLevelChange) {
  WaitBench bench("on-launch", 1);
  EXPECT_EQ(bench.level_change(0s), std::nullopt);
  bench.slot(11, 0s);
  bench.slot(11, 8s);
  EXPECT_EQ(bench.level_change(8s), std::nullopt);
}

TEST(WaitPolicy, PlacementsTellHowLongTheJobWaited) {
  WaitBench bench;
  bench.slot(11, 0s);
  bench.policy->opportunity({}, bench.pool, at(6s));
  std::vector<Placement> placements;
  Resources slot{{kMap, 1}};
  bench.pool.fill(offer(99, agent(2)), kMap, slot, *bench.policy, at(6s), placements);
  ASSERT_THAT(placements, SizeIs(1));
  EXPECT_EQ(placements[0].waited, Duration{6s});
  EXPECT_EQ(placements[0].locality, Locality::rack);
}

/// SPARK-18886 in small: 20 agents of one slot, tasks of 1 s that all prefer agent 1, W1 = 3 s; every free
/// slot is offered every second. How many tasks a minute does the job launch?
std::size_t launches_a_minute(const std::string& reset) {
  PolicyBench bench("wait,node_wait=3s,rack_wait=0s,reset=" + reset);
  const auto job = bench.job(1);
  for (int i = 0; i < 2000; ++i) bench.pool.add(job, map_on("t" + std::to_string(i), {1}));
  bench.standings = {{kMap, 0, 20, false, false, true}};
  std::size_t launches = 0;
  for (int second = 0; second < 60; ++second) {
    while (bench.pool.running(job, kMap) > 0) end_one(bench.pool, job);
    std::vector<Offer> free;
    for (std::uint64_t n = 1; n <= 20; ++n) free.push_back(offer(++bench.next_offer, agent(n)));
    for (const auto& said : bench.offers(free, second * 1s)) launches += said.starts_with("t") ? 1 : 0;
  }
  return launches;
}

TEST(WaitPolicy, WithTheRuleOfThePaperOneHotNodeHoldsAJobBack) {
  EXPECT_EQ(launches_a_minute("on-launch"), 60u);  // one slot of twenty
  EXPECT_EQ(launches_a_minute("on-local-launch"), 60u);
}

TEST(WaitPolicy, OtherResetRulesUseTheRestOfTheClusterForTheHotNode) {
  EXPECT_EQ(launches_a_minute("never"), 57u * 20 + 3);
  EXPECT_GT(launches_a_minute("no-rejects"), 4u * 60);
  EXPECT_EQ(launches_a_minute("share-aware"), 57u * 20 + 3);
}

TEST(WaitPolicy, DoesNotShareTheDiseaseOfHeadOfLine) {
  WaitBench bench("on-launch", 20);
  EXPECT_EQ(bench.slot(1, 0s), "t0@node");
  const auto small = bench.job(2);
  bench.pool.add(small, map_on("small", {30}));
  EXPECT_EQ(bench.slot(1, 1s), "t1@node");
  EXPECT_EQ(bench.slot(30, 2s), "small@node");
}

}  // namespace
}  // namespace proffer::testing
