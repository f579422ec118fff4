// Delay scheduling that is told nothing, and what it learns of what a node-local launch saves.
#include "frameworks/policies/savings.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

using policies::Savings;

/// Ten agents of one rack; a job whose tasks all lie on agents 1 to 4. Before it knows anything `auto` takes
/// a local launch to save 3.5 s, and waits twice as long for one.
struct AutoBench : PolicyBench {
  explicit AutoBench(const std::string& settings = "locality=0", int tasks = 4)
      : PolicyBench("auto," + settings) {
    job_of(tasks, {1, 2, 3, 4});
    standings = {{kMap, 0, 10, false, true, false}};
  }
  /// So many tasks of the job end; each ran for so long.
  void finished(int tasks, Locality locality, Duration ran) {
    const RunningTask task{{1}, {"done"}, agent_id(1), locality, true, 0, {}, {}};
    for (int i = 0; i < tasks; ++i) ability<SeesEnds>()->task_finished(task, kMap, ran);
  }
};

TEST(AutoPolicy, TakesNodeLocalAtOnce) { EXPECT_EQ(AutoBench().slot(1, 0s), "t0@node"); }

TEST(AutoPolicy, UntilItKnowsMoreItWaitsTwiceAsLongAsItGuessesThatALocalLaunchSaves) {
  AutoBench bench;
  EXPECT_EQ(bench.idle_slot(5, 0s), "no-node-local");
  EXPECT_EQ(bench.level_change(0s), Duration{7s});
  EXPECT_EQ(bench.idle_slot(5, 7s - 1us), "no-node-local");
  EXPECT_EQ(bench.idle_slot(5, 7s), "t0@rack");
}

TEST(AutoPolicy, WhereRemoteTasksLastAsLongItWaitsLessAndLess) {
  AutoBench bench("locality=0", 1);
  bench.idle_slot(5, 0s);
  bench.finished(5, Locality::node, 10s);
  bench.finished(5, Locality::any, 10s);  // 3.5 s x 2 of 4.5 tasks, twice
  EXPECT_EQ(bench.idle_slot(6, 3s), "no-node-local");
  EXPECT_EQ(bench.idle_slot(6, 3200ms), "t0@rack");
}

TEST(AutoPolicy, AsksAgainForWhatItRefusedForLongerThanIsWorthIt) {
  AutoBench bench;
  bench.idle_slot(5, 0s);
  bench.finished(5, Locality::node, 10s);
  EXPECT_FALSE(bench.take_widened());
  bench.finished(5, Locality::any, 10s);
  EXPECT_TRUE(bench.take_widened());
  EXPECT_FALSE(bench.take_widened());
}

TEST(AutoPolicy, WhereItsTasksHaveManyTimesMoreSlotsThanTheAgentsWithTheirDataItDoesNotWait) {
  AutoBench bench("locality=0", 100);
  EXPECT_EQ(bench.idle_slot(5, 0s), "t0@rack") << "ten slots for four, one an agent, to begin with";
  AutoBench wide("locality=0", 100);
  wide.offers({offer(80, agent(5), 3)}, 0s);
  EXPECT_EQ(wide.idle_slot(6, 0s), "no-node-local") << "agents with three slots: ten for twelve";
}

TEST(AutoPolicy, SlotsThatJustCameFreeAreLeftToOthersForAsLongAsThePromiseIsNotKept) {
  AutoBench bench("locality=0.98");
  EXPECT_EQ(bench.slot(5, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(5, 8s), "no-node-local");
  EXPECT_EQ(bench.level_change(8s), 8s + Duration{7s} / 32) << "if nobody takes it, it is idle by then";
  EXPECT_EQ(bench.idle_slot(5, 8s), "t0@rack");
  AutoBench kept("locality=0.98");
  kept.slot(1, 0s);  // all of its launches are local
  kept.slot(5, 0s);
  EXPECT_EQ(kept.slot(5, 8s), "t1@rack");
}

TEST(AutoPolicy, ForItsPromiseItWaitsForA32ndOfATaskEvenIfNothingIsSaved) {
  AutoBench bench("locality=0.98");
  bench.idle_slot(5, 0s);
  EXPECT_EQ(bench.idle_slot(5, 7s), "t0@rack");  // the promise is not kept
  bench.finished(1000, Locality::node, 16s);
  bench.finished(1000, Locality::any, 15s);
  end_one(bench.pool, {1});
  bench.slot(1, 8s);  // takes all of the wait back: it knows of no reason to wait long
  bench.idle_slot(6, 9s);
  EXPECT_EQ(bench.idle_slot(6, 9400ms), "no-node-local");
  EXPECT_EQ(bench.idle_slot(6, 9500ms), "t2@rack");
}

TEST(AutoPolicy, AStarvedFrameworkDoesNotWait) {
  AutoBench bench;
  bench.standings = {{kMap, 0, 10, true, true, false}};
  EXPECT_EQ(bench.slot(5, 0s), "t0@rack");
}

TEST(AutoPolicy, JobsWithoutPreferencesDoNotWait) {
  PolicyBench bench("auto");
  bench.pool.add(bench.job(1), anywhere("reduce", kReduce));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 1, kReduce)}, 0s), ElementsAre("reduce@any"));
}

TEST(AutoPolicy, AJobThatEndedIsForgotten) {
  AutoBench bench("locality=0", 1);
  bench.idle_slot(5, 0s);
  bench.pool.remove({1}, {"t0"});
  bench.pool.remove_job({1});
  bench.policy->job_ended({1});
  bench.job(1);
  bench.pool.add({1}, map_on("again", {1}));
  EXPECT_EQ(bench.idle_slot(5, 9s), "no-node-local");
}

TEST(Savings, BeforeAnythingIsKnownAreAGuess) {
  EXPECT_EQ(Savings().expected(), Duration{3500ms});
  EXPECT_EQ(Savings().task_time(), std::nullopt);
}

TEST(Savings, TheGuessIsATaskAtMost) {
  Savings savings;
  savings.finished({1}, true, 2s);
  EXPECT_EQ(savings.expected(), Duration{2s});
}

TEST(Savings, AreTheDifferenceOfMeansOnceThereAreManyTasks) {
  Savings savings;
  for (int i = 0; i < 400; ++i) savings.finished({1}, i % 2 == 0, i % 2 == 0 ? 10s : 16s);
  EXPECT_NEAR(static_cast<double>(savings.expected().count()), 6e6, 6e4);
  EXPECT_EQ(savings.task_time(), Duration{13s});
}

TEST(Savings, CompareTasksOfOneJobOnly) {
  Savings savings;
  for (int i = 0; i < 100; ++i) {
    savings.finished({1}, true, 5s);     // short tasks, all local
    savings.finished({2}, false, 100s);  // long ones, all remote
  }
  EXPECT_EQ(savings.expected(), Duration{3500ms});
}

TEST(Savings, OfJobsThatEndedAreKept) {
  Savings savings;
  for (std::uint32_t job = 1; job <= 100; ++job) {
    savings.finished({job}, true, 10s);
    savings.finished({job}, false, 10s);
    savings.forget({job});
  }
  EXPECT_LT(savings.expected(), Duration{200ms});
}

TEST(Savings, AreNeverLessThanNothing) {
  Savings savings;
  for (int i = 0; i < 100; ++i) savings.finished({1}, i % 2 == 0, i % 2 == 0 ? 20s : 10s);
  EXPECT_EQ(savings.expected(), Duration::zero());
}

}  // namespace
}  // namespace proffer::testing
