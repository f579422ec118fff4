// Delay scheduling that finds its waits by itself.
#include "frameworks/policies/observed.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// Ten agents of one rack; a job whose tasks all lie on agent 1, beside one that wants nothing near.
struct AutoBench : PolicyBench {
  explicit AutoBench(const std::string& settings = "hopeless=5s", int tasks = 20)
      : PolicyBench("auto," + settings) {
    job_of(tasks, {1});
    standings = {{kMap, 0, 10, false, true, false}};
  }
  /// Agents 2 to 10, one every `gap`; how many slots were taken.
  int round(Duration from, Duration gap) {
    int taken = 0;
    for (std::uint64_t n = 2; n <= 10; ++n) {
      taken += slot(n, from + gap * static_cast<int>(n)) != "no-node-local" ? 1 : 0;
    }
    return taken;
  }
};

TEST(AutoPolicy, TakesNodeLocalAtOnce) { EXPECT_EQ(AutoBench().slot(1, 0s), "t0@node"); }

TEST(AutoPolicy, UntilSlotsCameFreeItWaitsAsLongAsIsWorthIt) {
  AutoBench bench;
  EXPECT_EQ(bench.idle_slot(2, 0s), "no-node-local");
  EXPECT_EQ(bench.level_change(0s), Duration{5s});
  EXPECT_EQ(bench.idle_slot(2, 5s - 1us), "no-node-local");
  EXPECT_EQ(bench.idle_slot(2, 5s), "t0@rack");
}

TEST(AutoPolicy, WhatItLetPassBesideALocalLaunchStartsTheNextWait) {
  AutoBench bench;
  const auto said = bench.offers({offer(1, agent(2)), offer(2, agent(1))}, 0s);
  EXPECT_THAT(said, ElementsAre("no-node-local", "t0@node"));
  EXPECT_TRUE(bench.level_change(0s)) << "else the first slot is refused for good";
}

TEST(AutoPolicy, WhereSlotsComeFreeOftenItWaits) {
  AutoBench bench;
  EXPECT_EQ(bench.round(0s, 100ms), 0);  // ten a second: one of the ten agents about every second
  EXPECT_EQ(bench.round(1s, 100ms), 0);
}

TEST(AutoPolicy, WhereSlotsComeFreeSeldomAWaitIsHopelessAndSkipped) {
  AutoBench bench;
  EXPECT_GT(bench.round(0s, 1s), 0);  // the agent with data about every ten seconds
}

TEST(AutoPolicy, AWaitLastsUntilTheWantedChance) {
  // A slot each 400 ms, one of ten local: 4 s for one of those, and 29 slots = 11.6 s for a chance of 95%.
  AutoBench bench;
  Duration taken{};
  for (int i = 0; taken == Duration::zero() && i < 100; ++i) {
    const auto when = i * 400ms;
    if (bench.slot(2 + static_cast<std::uint64_t>(i) % 9, when) != "no-node-local") taken = when;
  }
  EXPECT_GE(taken, 8s);  // of nine agents seen so far
  EXPECT_LE(taken, 12s);
}

TEST(AutoPolicy, IsShownAgainWhatItRefusedWhenTheWaitTurnsOutHopeless) {
  AutoBench bench;
  for (std::uint64_t n = 2; n <= 10; ++n) bench.idle_slot(n, 0s);
  EXPECT_FALSE(bench.take_widened());
  bench.slot(1, 2s);  // the first in two seconds, of ten agents: 20 s for the next one of agent 1
  bench.slot(1, 4s);
  EXPECT_TRUE(bench.take_widened());
  EXPECT_FALSE(bench.take_widened());
  EXPECT_EQ(bench.idle_slot(5, 4s), "t2@rack");
}

TEST(AutoPolicy, AStarvedFrameworkDoesNotWait) {
  AutoBench bench;
  bench.standings = {{kMap, 0, 10, true, true, false}};
  EXPECT_EQ(bench.slot(2, 0s), "t0@rack");
}

TEST(AutoPolicy, WhileNobodyElseWantsSlotsTheWholeQueueOfTheJobCounts) {
  // The next local slot is a second away, which a job of 20 waits for; its tenth is ten seconds away.
  AutoBench contended;
  EXPECT_EQ(contended.round(0s, 100ms) + contended.round(1s, 100ms), 0);
  AutoBench alone;
  alone.standings = {{kMap, 0, 10, false, false, false}};
  EXPECT_GT(alone.round(0s, 100ms), 0);
  AutoBench small("hopeless=5s", 2);
  small.standings = alone.standings;
  EXPECT_EQ(small.round(0s, 100ms), 0);
}

TEST(AutoPolicy, AJobThatRunsHalfOfItsShareNearWaitsAnewAfterALocalLaunch) {
  AutoBench bench;
  bench.round(0s, 100ms);
  bench.offers({offer(80, agent(1), 5)}, 2s);
  EXPECT_EQ(bench.slot(2, 2s), "no-node-local");
  EXPECT_GE(bench.level_change(2s), Duration{7s});
}

TEST(AutoPolicy, JobsWithoutPreferencesDoNotWait) {
  PolicyBench bench("auto");
  bench.pool.add(bench.job(1), anywhere("reduce", kReduce));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 1, kReduce)}, 0s), ElementsAre("reduce@any"));
}

TEST(AutoPolicy, AJobThatEndedIsForgotten) {
  AutoBench bench("hopeless=5s", 1);
  bench.idle_slot(2, 0s);
  bench.pool.remove({1}, {"t0"});
  bench.pool.remove_job({1});
  bench.policy->job_ended({1});
  bench.job(1);
  bench.pool.add({1}, map_on("again", {1}));
  EXPECT_EQ(bench.idle_slot(2, 9s), "no-node-local");
}

TEST(Observed, TellsHowLongSlotsTakeToComeBy) {
  policies::Observed seen;
  EXPECT_EQ(seen.time_for(1), std::nullopt);
  seen.passed(2s, 0, true);
  for (std::uint64_t n = 1; n <= 4; ++n) seen.offered(agent_id(n), true);
  seen.offered(agent_id(5), false);  // stood idle
  EXPECT_EQ(seen.time_for(10), Duration{5s});
  EXPECT_EQ(seen.agents(), 5);
}

TEST(Observed, WhatComesFreeWhileNoJobWaitsDoesNotCount) {
  policies::Observed seen;
  seen.passed(2s, 0, false);
  seen.offered(agent_id(1), true);
  EXPECT_EQ(seen.time_for(1), std::nullopt);
}

TEST(Observed, OldReleasesFade) {
  policies::Observed seen;
  for (int minute = 0; minute < 10; ++minute) {  // one a second, then none
    seen.passed(60s, 0, true);
    for (std::uint64_t n = 0; minute == 0 && n < 60; ++n) seen.offered(agent_id(n), true);
  }
  EXPECT_GT(*seen.time_for(1), Duration{30s});
}

TEST(Observed, TheTimeOfATaskIsSlotTimeOverTasksThatEnded) {
  policies::Observed seen;
  EXPECT_EQ(seen.task_time(0), std::nullopt);
  for (int i = 0; i < 4; ++i) seen.launched();
  seen.passed(10s, 4, false);
  EXPECT_EQ(seen.task_time(4), std::nullopt);
  EXPECT_EQ(seen.task_time(0), Duration{10s});
}

}  // namespace
}  // namespace proffer::testing
